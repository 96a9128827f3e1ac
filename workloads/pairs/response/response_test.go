package response

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func answers(n int) [][]order {
	r := rand.New(rand.NewPCG(14, 1))
	all := make([][]order, n)
	for i := range all {
		all[i] = make([]order, 1+r.IntN(40))
		for j := range all[i] {
			customer := fmt.Sprintf("customer %d", r.IntN(1000))
			all[i][j] = order{r.IntN(1e6), customer, r.Perm(r.IntN(8)), float64(r.IntN(100_000)) / 100}
		}
	}
	return all
}

func BenchmarkSend(b *testing.B) {
	all := answers(100)
	send := cure.Built[sender](before, after)
	b.ReportAllocs()
	for b.Loop() {
		if err := send(io.Discard, all); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSame(t *testing.T) {
	all := answers(50)
	var a, b bytes.Buffer
	if err1, err2 := before(&a, all), after(&b, all); err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) || a.Len() < 1000 {
		t.Errorf("%s before, %s after", &a, &b)
	}
}
