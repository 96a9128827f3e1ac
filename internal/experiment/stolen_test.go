package experiment

import (
	compare "cmp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/machine"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

func TestMayRepeat(t *testing.T) {
	analyses := []int{12, 20, 40}
	repeated := func(n int) []result.StolenTime {
		return append(slices.Repeat([]result.StolenTime{{Block: 1, Share: 0.5, Repeated: true}}, n), result.StolenTime{Block: 2, Share: 0.5})
	}
	for _, test := range []struct {
		name       string
		affected   []result.StolenTime
		block      int
		left, took time.Duration
		want       bool
	}{
		{"the first, time for it and the rest", nil, 3, 10 * time.Second, time.Second, true},
		{"no time for the rest", nil, 3, 9 * time.Second, time.Second, false},
		{"the last one before an analysis", nil, 12, time.Second, time.Second, true},
		{"after that analysis the next one counts", nil, 13, 7 * time.Second, time.Second, false},
		{"one fewer than half", repeated(5), 12, time.Hour, time.Second, true},
		{"half of them", repeated(6), 12, time.Hour, time.Second, false},
		{"half of those at the next analysis", repeated(6), 13, time.Hour, time.Second, true},
	} {
		if got := mayRepeat(test.affected, test.block, analyses, test.left, test.took); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// A doubt about a block that is measured again does not carry over to the
// measurement that counts.
func TestForgottenDoubts(t *testing.T) {
	d := doubts{}
	at := cellBench{mode: "default", key: testKeys[0]}
	d.add(at, 1, []target.Doubt{{What: "slow", Detail: "first"}})
	d.add(at, 2, []target.Doubt{{What: "slow", Detail: "second"}, {What: "late", Detail: "once"}})
	d.forget(2)
	if got := d[doubtful{at, "slow"}]; len(got) != 1 || got[1] != "first" {
		t.Errorf("of two blocks with a doubt one is forgotten; left are %v", got)
	}
	if _, there := d[doubtful{at, "late"}]; there {
		t.Error("a doubt stays that no block has")
	}
}

// thief is the CPU accounting of a machine that is read before and after each try
// of a block. It steals half of the time before the readings that steals names.
func thief(steals func(reading int) bool) func() machine.Time {
	var now machine.Time
	readings := 0
	return func() machine.Time {
		now.Busy += 100
		if steals(readings) {
			now.Stolen += 100
		}
		readings++
		return now
	}
}

// A block in which the hypervisor stole time is measured again, in another order.
// The first measurement of it does not count, now or after a resume.
func TestStolenBlocksAreMeasuredAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, &fake{}, "default,GOGC=50,GOGC=400", lab(t))
		p.Blocks = 12
		want, err := begin(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		f := &fake{}
		f.figures = func(r fakeRun) ([]target.Figures, error) {
			figures := healthy(r)
			if r.n/4 == 2 { // in block 3, at the first try
				figures[0].Doubts = []target.Doubt{{What: "it was slow", Detail: "by half"}}
			}
			return figures, nil
		}
		p.Target, p.OutDir = f, p.OutDir+"-stolen"
		p.machineTime = thief(func(reading int) bool { return reading == 2*2+1 }) // at the end of block 3
		doc, err := begin(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]result.StolenTime{{Block: 3, Share: 0.5, Repeated: true}}, doc.StolenTime); d != "" {
			t.Error(d)
		}
		if f.runs != 13*4 || len(doc.Runs) != 12*4 {
			t.Errorf("%d runs were made and %d kept, want 52 and 48", f.runs, len(doc.Runs))
		}
		for block := 1; block <= 12; block++ {
			if same := slices.Equal(modesIn(doc, block), modesIn(want, block)); same == (block == 3) {
				t.Errorf("block %d has the runs %q, without stolen time %q", block, modesIn(doc, block), modesIn(want, block))
			}
		}
		if note := "one block was measured again, because the hypervisor had stolen more than 5.0% of the CPU time wanted (up to 50.0%)"; !strings.Contains(notesOf(doc), note) || strings.Contains(notesOf(doc), "slow") {
			t.Errorf("the notes are %q", doc.Warnings)
		}
		_, runs, err := Resume(p.OutDir)
		if err != nil {
			t.Fatal(err)
		}
		order := func(a, b sample.Run) int {
			return compare.Or(compare.Compare(a.Block, b.Block), compare.Compare(a.Mode, b.Mode))
		}
		if d := cmp.Diff(slices.SortedFunc(slices.Values(doc.Runs), order), slices.SortedFunc(slices.Values(runs), order)); d != "" {
			t.Errorf("it would go on with other runs: %s", d)
		}
	})
}

// A machine that always steals ends the experiment no later: half of the blocks
// before an analysis are repeated at most, and the others count as they are.
func TestAlwaysStolen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		p := planOf(t, f, "default,GOGC=400", lab(t))
		p.Blocks, p.machineTime = 12, thief(func(reading int) bool { return reading%2 == 1 })
		doc, err := begin(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		again := 0
		for _, d := range doc.StolenTime {
			if d.Repeated {
				again++
			}
		}
		if doc.Blocks != 12 || again != 6 || len(doc.StolenTime) != 18 || len(doc.Runs) != 36 {
			t.Errorf("of %d blocks %d were repeated, %d had stolen time; %d runs are kept", doc.Blocks, again, len(doc.StolenTime), len(doc.Runs))
		}
		if !strings.Contains(notesOf(doc), "12 blocks were kept although the hypervisor stole") {
			t.Errorf("the notes are %q", doc.Warnings)
		}
	})
}
