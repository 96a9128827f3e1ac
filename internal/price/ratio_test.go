package price

import (
	"fmt"
	"math"
	"testing"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
)

// runs returns an experiment of a baseline, its control, and modes that take the given times as long.
// A block's noise is common to its runs.
func runs(blocks int, times map[string]float64) *result.Document {
	doc := &result.Document{}
	for b := range blocks {
		for name, ratio := range times {
			noise := 1 + float64(b%5)/10 + 0.01*float64((b*7+len(name))%3)
			doc.Runs = append(doc.Runs, sample.Run{
				Key: sample.Key{Benchmark: "Work"}, Mode: name, Block: b + 1,
				Values: map[string]float64{sample.Primary: noise * ratio},
			})
		}
	}
	return doc
}

func TestRatio(t *testing.T) {
	few := map[string]float64{"base": 1, "base#control": 1, "loop": 1.6}
	r, ok := ratioOf(runs(12, few), "loop", "base", sample.Primary)
	if !ok || !r.bounded() || r.low > r.middle || r.middle > r.high || math.Abs(r.middle-1.6) > 0.05 {
		t.Fatalf("%+v, %t", r, ok)
	}
	many := map[string]float64{}
	for name, ratio := range few {
		many[name] = ratio
	}
	for i := range 30 {
		many[fmt.Sprint("other", i)] = 2
	}
	if other, _ := ratioOf(runs(12, many), "loop", "base", sample.Primary); other != r {
		t.Errorf("%+v beside 30 other modes, %+v without them", other, r)
	}
	if r, ok := ratioOf(runs(5, few), "loop", "base", sample.Primary); !ok || r.bounded() {
		t.Errorf("five blocks: %+v, %t", r, ok)
	}
	if _, ok := ratioOf(runs(5, few), "loop", "base", "B/op"); ok {
		t.Error("a metric that nobody measured has a ratio")
	}
}

// If there is no time for all loops, the first ones get enough blocks.
func TestAffordable(t *testing.T) {
	loops := make([]*loop, 17) // 20 modes
	for i := range loops {
		loops[i] = &loop{price: &rules.Price{}}
	}
	for _, c := range []struct {
		budget, perBlock float64
		want             int
	}{{60, 10, 17}, {30, 10, 7}, {1, 10, 1}, {1, 0, 17}} {
		if got := len(affordable(loops, c.budget, c.perBlock)); got != c.want {
			t.Errorf("%v s with %v s for a block: %d loops, want %d", c.budget, c.perBlock, got, c.want)
		}
	}
	if loops[0].price.Why != "" || loops[16].price.Why == "" {
		t.Error("the last loops are left out, and say why")
	}
}

// A trial that changes enough is kept. Extra memory is as much as the line's, if that can be seen.
func TestAdjust(t *testing.T) {
	for name, c := range map[string]struct {
		loop       loop
		cpu, bytes float64
		want       float64
	}{
		"enough":        {loop{times: 2}, 1.2, 1.1, 2},
		"too little":    {loop{times: 2}, 1.03, 1.1, 10},
		"nothing":       {loop{times: 2}, 1, 1.1, 16},
		"too much":      {loop{times: 2}, 3, 1.1, 1},
		"memory":        {loop{times: 1, memory: true, site: Site{Share: 0.5}}, 1.1, 1.1, 5},
		"little memory": {loop{times: 1, memory: true, site: Site{Share: 0.1}}, 1.05, 1.1, 3},
		"much memory":   {loop{times: 1, memory: true, site: Site{Share: 0.5}}, 1.8, 3, 0.25},
	} {
		loopMode := c.loop.mode("base")
		doc := runs(1, map[string]float64{"base": 1, loopMode: c.cpu})
		for i := range doc.Runs {
			v := doc.Runs[i].Values
			v[sample.Primary] = map[string]float64{"base": 1, loopMode: c.cpu}[doc.Runs[i].Mode]
			v["B/op"] = map[string]float64{"base": 100, loopMode: 100 * c.bytes}[doc.Runs[i].Mode]
		}
		l := c.loop
		before, after := l.adjust(doc, "base")
		if math.Abs(l.times-c.want) > 0.01 {
			t.Errorf("%s: %v times, want %v", name, l.times, c.want)
		}
		if less := c.want < c.loop.times; less != (after < before) || math.Abs(before-c.cpu) > 0.01 {
			t.Errorf("%s: %v times the CPU time becomes %v times for %v executions", name, before, after, l.times)
		}
	}
}
