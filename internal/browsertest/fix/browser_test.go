package fix_test

import (
	"testing"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/fix"
	"github.com/heapwright/heapwright/internal/fix/view"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

const patch = "--- a/rows.go\n+++ b/rows.go\n@@ -7,6 +7,7 @@\n func double(rows []int) []int {\n-\tvar out []int\n" +
	"+\tout := make([]int, 0, len(rows)) // a line that is longer than a narrow screen, so that it scrolls in its own box\n"

func tried(name string) *fix.Document {
	gain := &fix.Gain{Better: []fix.Effect{
		{Benchmark: name + ".Double", Metric: "cpu-sec/op", Ratio: 0.4, Low: 0.35, High: 0.45},
		{Benchmark: name + ".Double", Metric: "allocs/op", Ratio: 0.1, Low: 0.1, High: 0.1},
	}, Worse: []fix.Effect{{Benchmark: name + ".Half", Metric: "B/op", Ratio: 1.2, Low: 1.1, High: 1.3}},
		Geomean: map[string]float64{"cpu-sec/op": 0.4}, Blocks: 12}
	return &fix.Document{
		Target: name, Answer: "1 change of 2 kept.", Patch: patch, Gain: gain, Notes: []string{name},
		Changes: []fix.Change{
			{Check: "appendwithoutroom", Title: name, File: name, Line: 7, Function: name, Patch: patch, Gain: gain,
				Estimate: evidence.Range{Low: 0.2, High: 0.9}, Outcome: fix.Kept, Why: "better, and the tests pass",
				Proof: []fix.Step{{Name: "vet", Command: "go vet ./...", Passed: true}}},
			{Check: "recompile", Title: "a pattern", File: "y.go", Line: 3, Patch: patch, Outcome: fix.Rejected, Why: name,
				Proof: []fix.Step{{Name: "tests", Command: "go test", Output: name}}},
		},
	}
}

func TestPage(t *testing.T) { hold(t, "rows") }

func TestHostileNamesInBrowser(t *testing.T) { hold(t, browsertest.Hostile) }

func hold(t *testing.T, name string) {
	t.Helper()
	browsertest.Hold(t, browsertest.Corners, browsertest.Written(t, view.HTML, tried(name)), "true", nil)
}
