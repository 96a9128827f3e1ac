package pattern

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func messages(n int) []string {
	r := rand.New(rand.NewPCG(13, 1))
	all := make([]string, n)
	for i := range all {
		var m strings.Builder
		for range 20 + r.IntN(60) {
			if r.IntN(25) == 0 {
				fmt.Fprintf(&m, "%s-%d ", []string{"API", "WEB", "OPS"}[r.IntN(3)], r.IntN(90_000))
			}
			m.WriteString([]string{"fix", "the", "Build", "of", "release-7", "and", "its", "tests"}[r.IntN(8)] + " ")
		}
		all[i] = m.String()
	}
	return all
}

func BenchmarkFind(b *testing.B) {
	all := messages(100)
	run := cure.Built[count](before, after)
	b.ReportAllocs()
	for b.Loop() {
		run(all)
	}
}

func TestSame(t *testing.T) {
	all := messages(200)
	a, b := before(all), after(all)
	if !maps.Equal(a, b) || len(a) != 3 {
		t.Errorf("%v before, %v after", a, b)
	}
}
