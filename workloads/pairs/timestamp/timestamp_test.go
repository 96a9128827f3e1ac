package timestamp

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func events(n int) []event {
	r := rand.New(rand.NewPCG(11, 1))
	all := make([]event, n)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range all {
		at = at.Add(time.Duration(r.ExpFloat64() * float64(time.Second)))
		all[i] = event{at, []string{"checkout", "search", "basket"}[r.IntN(3)], 200 + r.IntN(300)}
	}
	return all
}

func BenchmarkWrite(b *testing.B) {
	all := events(1000)
	write := cure.Built[writer](before, after)
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		out = write(out[:0], all)
	}
}

func TestSame(t *testing.T) {
	all := events(500)
	a, b := before(nil, all), after(nil, all)
	if !bytes.Equal(a, b) || bytes.Count(a, []byte("\n")) != 500 {
		t.Errorf("%s before, %s after", a, b)
	}
}
