package gate

import (
	"slices"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

func key(name string) sample.Key { return sample.Key{Package: "example.org/json", Benchmark: name} }

// effect is one of a metric whose baseline is 1000.
func effect(metric string, low, ratio, high float64) verdict.Effect {
	return verdict.Effect{
		Key: key("Decode"), Mode: "head", Metric: metric, Blocks: 12,
		Ratio: ratio, Low: low, High: high, Baseline: 1000, Candidate: 1000 * ratio,
	}
}

func TestOutcomes(t *testing.T) {
	b := Default()
	b.limits["MB/s"] = Limit{Grow: 0.05}
	b.exceptions = []Exception{{Benchmark: "json.*", Metric: "B/op", Grow: 0.3, Until: time.Now(), Reason: "agreed"}}
	zero := effect("allocs/op", 1, 1, 1)
	zero.Baseline, zero.Candidate, zero.Low, zero.Ratio, zero.High = 0, 2, result.Infinite, result.Infinite, result.Infinite
	few := zero
	few.Candidate = 0.4
	loop := effect("cpu-sec/op", 1.15, 1.2, 1.22)
	loop.Baseline, loop.Candidate = 2e-9, 2.4e-9
	tests := []struct {
		name string
		e    verdict.Effect
		want Outcome
	}{
		{"all of the interval beyond the budget", effect("cpu-sec/op", 1.051, 1.1, 1.2), Fail},
		{"part of it", effect("cpu-sec/op", 0.99, 1.04, 1.06), Inconclusive},
		{"most of it", effect("cpu-sec/op", 1.04, 1.1, 1.2), Inconclusive},
		{"none of it", effect("cpu-sec/op", 0.9, 1.01, 1.05), Pass},
		{"an improvement", effect("cpu-sec/op", 0.5, 0.6, 0.7), Pass},
		{"a point, as of allocations", effect("allocs/op", 1.06, 1.06, 1.06), Fail},
		{"within the floor", effect("peak-RSS-bytes", 1.5, 1.6, 1.7), Pass},
		{"a cycle more of a loop of two nanoseconds", loop, Pass},
		{"no interval yet", effect("cpu-sec/op", 0, 1.1, result.Infinite), Inconclusive},
		{"from nothing", zero, Fail},
		{"from nothing to less than the floor", few, Pass},
		{"within an exception", effect("B/op", 1.2, 1.2, 1.2), Excused},
		{"perhaps over the budget, within an exception", effect("B/op", 1.03, 1.05, 1.08), Excused},
		{"perhaps over both", effect("B/op", 1.03, 1.2, 1.4), Inconclusive},
		{"beyond the exception", effect("B/op", 1.31, 1.31, 1.31), Fail},
		{"less of what should be more", effect("MB/s", 0.8, 0.85, 0.9), Fail},
		{"more of what should be more", effect("MB/s", 1.8, 1.85, 1.9), Pass},
	}
	for _, test := range tests {
		row, ok := b.check(test.e)
		if !ok || row.Outcome != test.want {
			t.Errorf("%s: %v, want %v", test.name, row.Outcome, test.want)
		}
		if (row.MoreBlocks > 0) != (test.want == Inconclusive) {
			t.Errorf("%s: %d more blocks of a row that is %s", test.name, row.MoreBlocks, row.Outcome)
		}
	}
	if _, ok := b.check(effect("sec/op", 9, 9, 9)); ok {
		t.Error("a metric without a budget is gated")
	}
}

func TestMoreBlocksWouldTell(t *testing.T) {
	// ±10% around +10% after 12 blocks: to end above +5% it has to be about
	// half as wide, which takes four times the blocks.
	row, _ := Default().check(effect("cpu-sec/op", 1, 1.1, 1.21))
	if total := row.Blocks + row.MoreBlocks; total < 36 || total > 60 {
		t.Errorf("decided after %d blocks, want about 50", total)
	}
	row, _ = Default().check(effect("cpu-sec/op", 1, 1.05, 1.1))
	if row.MoreBlocks != verdict.Hopeless {
		t.Errorf("an effect as large as the budget needs %d more blocks", row.MoreBlocks)
	}
	if open := Default().Open([]verdict.Effect{row.Effect}); open != 0 {
		t.Error("an experiment goes on for what cannot be decided")
	}
}

func TestCheck(t *testing.T) {
	doc := &result.Document{
		Baseline: "base", Modes: []result.Mode{{Name: "base"}, {Name: "head"}},
		Effects: []verdict.Effect{
			effect("cpu-sec/op", 0.9, 1, 1.02), effect("B/op", 1.1, 1.1, 1.1), effect("allocs/op", 1.2, 1.2, 1.2),
		},
		Unmatched: []result.LoneBenchmark{{Key: key("Old"), Mode: "base"}, {Key: key("New"), Mode: "head"}},
		Failures: []result.Failure{
			{Key: key("Old"), Mode: "head", Reason: "it printed no result"},
			{Key: key("Encode"), Mode: "head", Block: 1, Reason: "exit status 2"},
			{Key: key("Encode"), Mode: "head", Block: 2, Reason: "exit status 2"},
			{Key: key("Flaky"), Mode: "base", Reason: "exit status 2"},
			{Key: key("Shaky"), Mode: "base" + sample.ControlSuffix, Reason: "exit status 2"},
		},
	}
	b := Default()
	b.limits["widgets/op"] = Limit{}
	r, err := Check(doc, b)
	if err != nil {
		t.Fatal(err)
	}
	if r.Base != "base" || r.Head != "head" {
		t.Errorf("%s against %s", r.Head, r.Base)
	}
	if r.Rows[0].Metric != "allocs/op" || r.Rows[1].Metric != "B/op" || r.Rows[2].Outcome != Pass {
		t.Errorf("rows are not in the order of what matters: %v", r.Rows)
	}
	if !slices.Equal(r.OnlyBase, []sample.Key{key("Old")}) || !slices.Equal(r.OnlyHead, []sample.Key{key("New")}) {
		t.Errorf("only in base %v, only in head %v", r.OnlyBase, r.OnlyHead)
	}
	if len(r.Broken) != 1 || r.Broken[0].Benchmark != "Encode" {
		t.Errorf("broken: %v", r.Broken)
	}
	if len(r.Warnings) != 1 {
		t.Errorf("warnings %q, want one about widgets/op", r.Warnings)
	}
	if !r.Failed(false) {
		t.Error("the gate lets a failure pass")
	}
}

func TestNothingToCompare(t *testing.T) {
	doc := &result.Document{
		Baseline: "base", Modes: []result.Mode{{Name: "base"}, {Name: "head"}},
		Unmatched: []result.LoneBenchmark{{Key: key("Old"), Mode: "base"}, {Key: key("New"), Mode: "head"}},
		Failures:  []result.Failure{{Key: key("Old"), Mode: "head", Reason: "it printed no result"}},
	}
	if r, err := Check(doc, Default()); err == nil {
		t.Errorf("a gate without a row passes: %+v", r)
	}
	doc.Failures = append(doc.Failures, result.Failure{Key: key("Decode"), Mode: "head", Reason: "exit status 2"})
	if r, err := Check(doc, Default()); err != nil || !r.Failed(false) {
		t.Errorf("all that is common to both is broken: %+v, %v", r, err)
	}
}

// Entries of a budget that fit nothing are told; those of benchmarks that are
// new, or that nothing is held of, are none.
func TestIdleEntries(t *testing.T) {
	const until = "grow = \"30%\"\nuntil = 2027-03-01\nreason = \"agreed\"\n"
	b, err := parse(`
[[benchmark]]
name = "json.Decod"
[[benchmark]]
name = "json.New"
[[benchmark]]
name = "json.Quiet"
[benchmark.budget."B/op"]
grow = "off"
[[exception]]
benchmark = "json.Decode"
metric = "alloc/op"
`+until+`[[exception]]
benchmark = "json.Decode/*"
metric = "B/op"
`+until+`[[exception]]
benchmark = "json.*"
metric = "cpu-sec/op"
`+until, today)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(&result.Document{
		Baseline: "base", Modes: []result.Mode{{Name: "base"}, {Name: "head"}},
		Benchmarks: []result.Benchmark{{Key: key("Decode")}, {Key: key("Quiet")}},
		Effects:    []verdict.Effect{effect("B/op", 1, 1, 1)},
		Unmatched:  []result.LoneBenchmark{{Key: key("New"), Mode: "head"}},
	}, b)
	want := []string{
		`the budget has an entry for "json.Decod", which fits no benchmark`,
		`the budget has an exception for B/op of "json.Decode/*", which fits nothing`,
		`the budget has an exception for alloc/op of "json.Decode", which fits nothing`,
	}
	if err != nil || !slices.Equal(r.Warnings, want) {
		t.Errorf("warnings are %q, %v", r.Warnings, err)
	}
}

func TestStrict(t *testing.T) {
	r := &Result{Rows: []Row{{Outcome: Inconclusive}, {Outcome: Excused}, {Outcome: Pass}}}
	if r.Failed(false) || !r.Failed(true) {
		t.Error("what is inconclusive fails a strict gate and no other")
	}
}
