package gate

import (
	"testing"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// constant returns the runs of a benchmark that allocates 1,024 bytes on the base and
// 5,376 on the head, in every run of so many blocks.
func constant(blocks int) (runs []sample.Run) {
	for block := range blocks {
		for mode, bytes := range map[string]float64{"base": 1024, "base" + sample.ControlSuffix: 1024, "head": 5376} {
			runs = append(runs, sample.Run{Key: key("Decode"), Mode: mode, Block: block, Values: map[string]float64{"B/op": bytes}})
		}
	}
	return runs
}

// Even a constant count needs as many blocks as the level of the interval asks for.
// With fewer, the gate has decided nothing.
func TestTooFewBlocksDecideNothing(t *testing.T) {
	for blocks, want := range map[int]Outcome{3: Inconclusive, 8: Fail} {
		j, err := verdict.Judge(constant(blocks), verdict.Options{Baseline: "base"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(&result.Document{Baseline: "base", Modes: []result.Mode{{Name: "base"}, {Name: "head"}}, Effects: j.Effects}, Default())
		if err != nil {
			t.Fatal(err)
		}
		if r.Count(want) != 1 || r.Undecided() != (want == Inconclusive) {
			t.Errorf("%d blocks: %+v; undecided: %v", blocks, r.Rows, r.Undecided())
		}
	}
}

func TestUndecided(t *testing.T) {
	open := Row{Outcome: Inconclusive}
	for _, c := range []struct {
		name string
		r    Result
		want bool
	}{
		{"all open", Result{Rows: []Row{open, open}}, true},
		{"one passes", Result{Rows: []Row{open, {Outcome: Pass}}}, false},
		{"one is excused", Result{Rows: []Row{open, {Outcome: Excused}}}, false},
		{"one no longer runs", Result{Rows: []Row{open}, Broken: []result.Failure{{Key: key("Gone")}}}, false},
	} {
		if got := c.r.Undecided(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
