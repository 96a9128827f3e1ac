package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/target"
)

// budget draws the intervals of a gate, with its budget. The gate runs on
// workloads/planted with 10% more CPU and 6% more allocations planted.
func budget(ctx context.Context, root string) (string, error) {
	dir, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	modes, err := mode.Parse("default,tags=planted_alloc6+tags=planted_cpu10")
	if err != nil {
		return "", err
	}
	limits := gate.Default()
	plan := experiment.Plan{Modes: modes, Target: &target.Packages{Names: []string{"./workloads/planted"}},
		Dir: root, OutDir: filepath.Join(dir, "gate"), RunTime: 100 * time.Millisecond, Blocks: 12, Open: limits.Open}
	doc := experiment.NewDocument()
	if err := experiment.Run(ctx, plan, doc, nil); err != nil {
		return "", err
	}
	r, err := gate.Check(doc, limits)
	if err != nil {
		return "", err
	}
	// A small absolute increase passes, whatever its share. A picture of shares
	// would show it on the wrong side.
	rows := slices.DeleteFunc(r.Rows, func(r gate.Row) bool {
		return r.Outcome == gate.Pass && r.High-1 > r.Limit.Grow
	})
	return drawBudget(rows), nil
}

var outcomes = map[gate.Outcome]string{gate.Pass: "third", gate.Inconclusive: "second", gate.Fail: "bad"}

func signed(v float64) string {
	if v == 0 {
		return "0"
	}
	return fmt.Sprintf("%+.0f", v)
}

// drawBudget draws a line for each row: the interval of the change, and the
// budget as the border between pass and fail.
func drawBudget(rows []gate.Row) string {
	const left, right, top, row = 300.0, width - 150.0, 76.0, 34.0
	const low, high = -0.20, 0.30
	at := func(change float64) float64 { return left + (right-left)*(min(max(change, low), high)-low)/(high-low) }
	d := &drawing{height: top + row*float64(len(rows)) + 44}
	d.text(20, 30, "title", "start", "A gate: the interval of each change, and the budget of 5%")
	bottom := d.height - 34
	d.rect(left, top-8, at(rows[0].Limit.Grow)-left, bottom-top+8, "band")
	d.text(at(rows[0].Limit.Grow)-6, top-16, "small", "end", "within the budget")
	d.text(at(rows[0].Limit.Grow)+6, top-16, "small", "start", "beyond it")
	for _, tick := range []float64{-0.20, -0.10, 0, 0.05, 0.10, 0.20, 0.30} {
		d.line(at(tick), bottom, at(tick), bottom+5, "grey")
		d.text(at(tick), bottom+20, "small", "middle", fmt.Sprintf("%s%%", signed(100*tick)))
	}
	d.line(at(rows[0].Limit.Grow), top-8, at(rows[0].Limit.Grow), bottom, "grey dashed")
	for i, r := range rows {
		y, class := top+row*(float64(i)+0.5), outcomes[r.Outcome]
		d.text(left-16, y+5, "", "end", r.Benchmark+"  "+r.Metric)
		d.line(at(r.Low-1)-2, y, at(r.High-1)+2, y, "thick "+class)
		d.dot(at(r.Ratio-1), y, class)
		d.text(right+16, y+5, class, "start", string(r.Outcome))
	}
	return d.svg("A gate: intervals within the budget pass, beyond it they fail, on both sides they are inconclusive")
}
