package view

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/fix"
)

func document() *fix.Document {
	gain := &fix.Gain{Better: []fix.Effect{
		{Benchmark: "app.Double", Metric: "cpu-sec/op", Ratio: 0.4, Low: 0.35, High: 0.45},
		{Benchmark: "app.Double", Metric: "allocs/op", Ratio: 0.1, Low: 0.1, High: 0.1},
	}, Geomean: map[string]float64{"cpu-sec/op": 0.4}, Blocks: 12}
	return &fix.Document{
		Answer: "1 change of 2 kept: CPU -60.0% [-65.0%, -55.0%] in app.Double.", Target: "./...", Gain: gain,
		Patch: "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-\tvar a\x1b[2J\n+\tvar b\n",
		Changes: []fix.Change{
			{Check: "appendwithoutroom", Title: "out grows by append", File: "x.go", Line: 7, Estimate: evidence.Range{Low: 0.26, High: 0.9}, Gain: gain,
				Proof: []fix.Step{{Name: "vet", Passed: true, Seconds: 0.2}, {Name: "race", Seconds: 2}}, Outcome: fix.Kept, Why: "better, and the tests of app pass"},
			{Check: "recompile", Title: "a pattern is compiled again", File: "y.go", Line: 3, Gain: &fix.Gain{Geomean: map[string]float64{"cpu-sec/op": 0.99}}, Outcome: fix.Rejected, Why: "not proven better: CPU -1.00%"},
		},
	}
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, document(), "fix.patch"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"1 change of 2 kept", " 1. out grows by append · appendwithoutroom\n    x.go:7\n", "estimate  CPU 26–90%",
		"measured  CPU -60.0% [-65.0%, -55.0%] in app.Double; allocs/op -90.0% in app.Double\n",
		"vet       passes in 200 ms\n    race      fails in 2 s\n    kept: better", "measured  CPU -1.0", "rejected: not proven better",
		"    +    var b\n", "To apply it: heapwright fix -apply",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("an escape sequence of the source reaches the terminal")
	}
}

func TestCommit(t *testing.T) {
	var b strings.Builder
	if err := Commit(&b, document()); err != nil {
		t.Fatal(err)
	}
	want := "allocate less: CPU -60.0% [-65.0%, -55.0%] in app.Double; allocs/op -90.0% in app.Double\n\n- x.go:7: out grows by append: "
	if !strings.HasPrefix(b.String(), want) || strings.Contains(b.String(), "y.go") {
		t.Errorf("%s", b.String())
	}
	b.Reset()
	if err := Commit(&b, &fix.Document{}); err != nil || b.Len() > 0 {
		t.Errorf("%v %q", err, b.String())
	}
}
