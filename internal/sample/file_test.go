package sample

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t testing.TB, runs []Run) string {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, [][2]string{{"goos", "linux"}, {"cpu", "a CPU: of 2 cores"}})
	for _, r := range runs {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

var someRuns = []Run{
	{Key{"example.org/p", "Tree/heap"}, "default", 1, 100, map[string]float64{"cpu-sec/op": 1.25e-5, "B/op": 0, "requests/s": 12}},
	{Key{"example.org/p", "Tree/heap"}, "arenas+GOGC=400", 1, 100, map[string]float64{"cpu-sec/op": 1.5e-5, "B/op": 16}},
	{Key{"example.org/q", "Map"}, "default", 1, 7, map[string]float64{"cpu-sec/op": 3}},
	{Key{"", "prog"}, "default", 2, 1, map[string]float64{"cpu-sec/op": 3, "peak-RSS-bytes": 1 << 30}},
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	text := write(t, someRuns)
	got, torn, err := Read(strings.NewReader(text), "results.txt")
	if err != nil || torn {
		t.Fatalf("torn %v, error %v", torn, err)
	}
	if d := cmp.Diff(someRuns, got); d != "" {
		t.Errorf("%s\n%s", d, text)
	}
}

func TestReadTakesTheLaterOfTwo(t *testing.T) {
	again := someRuns[0]
	again.Values = map[string]float64{"cpu-sec/op": 7}
	got, _, err := Read(strings.NewReader(write(t, append(append([]Run(nil), someRuns...), again))), "r")
	if err != nil || len(got) != len(someRuns) {
		t.Fatalf("%d runs, error %v", len(got), err)
	}
	if d := cmp.Diff(again, got[0]); d != "" {
		t.Error(d)
	}
}

func TestReadDamaged(t *testing.T) {
	good := "# block 1\nmode: a\n\nBenchmarkX 1 2 B/op\n"
	for _, c := range []struct{ name, text, want string }{
		{"no mode", "# block 1\nBenchmarkX 1 2 B/op\n", "r:2: a result without a mode"},
		{"no block", "mode: a\nBenchmarkX 1 2 B/op\n", "r:2: a result before the first block"},
		{"bad block", "# block x\n", `r:1: bad block number "x"`},
		{"no count", good + "BenchmarkX one 2 B/op\n", "r:5: parsing iteration count: invalid syntax"},
		{"no unit", good + "BenchmarkX 1 2\n", "r:5: missing units"},
		{"no iterations", good + "BenchmarkX 0 2 B/op\n", "r:5: 0 iterations, which no run can have done"},
		{"negative iterations", good + "BenchmarkX -1 2 B/op\n", "r:5: -1 iterations, which no run can have done"},
		{"endless iterations", good + "BenchmarkX 4611686018427387904 2 B/op\n", "r:5: 4611686018427387904 iterations, which no run can have done"},
		{"negative CPU", good + "BenchmarkX 1 -1 cpu-sec/op\n", "r:5: cpu-sec/op is -1, which no run can have measured"},
		{"negative time", good + "BenchmarkX 1 -1 ns/op\n", "r:5: sec/op is -1e-09, which no run can have measured"},
		{"endless CPU", good + "BenchmarkX 1 1e308 cpu-sec/op\n", "r:5: cpu-sec/op is 1e+308, which no run can have measured"},
		{"negative bytes", good + "BenchmarkX 1 -5 B/op\n", "r:5: B/op is -5, which no run can have measured"},
		{"not a number", good + "BenchmarkX 1 NaN B/op\n", "r:5: B/op is NaN, which no run can have measured"},
		{"infinite", good + "BenchmarkX 1 +Inf peak-RSS-bytes\n", "r:5: peak-RSS-bytes is +Inf, which no run can have measured"},
	} {
		_, _, err := Read(strings.NewReader(c.text), "r")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
	if _, _, err := Read(strings.NewReader(good+"BenchmarkX 1 -5 degrees NaN odds\n"), "r"); err != nil {
		t.Errorf("a target's own units: %v", err)
	}
	runs, torn, err := Read(strings.NewReader(good+"BenchmarkX 1 2"), "r")
	if err != nil || !torn || len(runs) != 1 {
		t.Errorf("torn line: %d runs, torn %v, error %v", len(runs), torn, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(write(f, someRuns))
	f.Add("# block 1\nmode: a\nBenchmarkX 1 2 B/op\nUnit B/op better=lower\n")
	f.Fuzz(func(t *testing.T, text string) {
		runs, _, err := Read(strings.NewReader(text), "r")
		if err != nil {
			return
		}
		for _, r := range runs {
			if r.Mode == "" || r.Block < 1 || r.Iterations < 1 || len(r.Values) == 0 {
				t.Fatalf("accepted %+v", r)
			}
		}
	})
}
