package main

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/bench/arena/work"
)

func TestRaceTable(t *testing.T) {
	r := &race{version: "go1", work: work.Clones8x256}
	for i := range 11 {
		l := layout{took: map[string][]float64{}, times: map[string][]float64{}}
		for _, name := range append([]string{work.Floor}, racers...) {
			l.took[name] = []float64{9, 50e-9, 40e-9}                          // a median of 50 ns
			l.times[name] = []float64{9, 1 + float64(i)/100, float64(i) / 100} // and of 1.00 to 1.10
		}
		r.layouts = append(r.layouts, l)
	}
	var out strings.Builder
	printRaces(&out, "go1", []*race{{version: "go2", work: work.Clones8x256}, r})
	want := "| 8 clones of 256 B | 50 ns |" + strings.Repeat(" 1.05 [1.01, 1.08] |", 3) + " 1.00, 1.10 |\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("printed\n%s\nwhich lacks\n%s", &out, want)
	}
	out.Reset()
	if printRaces(&out, "go2", []*race{r}); out.Len() != 0 {
		t.Errorf("printed of a version without races:\n%s", &out)
	}
}
