package fix

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

const before = "package x\n\nfunc Double(n int) int {\n\treturn n + n\n}\n\nfunc Zero() int {\n\treturn 0\n}\n"

// change returns a change of a line of x.go.
func change(old, new string) Change {
	after := strings.Replace(before, old, new, 1)
	return Change{Patch: unifiedOf("x/x.go", before, after), Outcome: Unproven}
}

// packaged returns a change that moves the sum to a new package.
func packaged() Change {
	after := strings.NewReplacer("package x\n", "package x\n\nimport \"ex.com/m/internal/y\"\n", "n + n", "y.Double(n)").Replace(before)
	c := Change{Patch: unifiedOf("x/x.go", before, after), Outcome: Unproven}
	c.Patch += "--- /dev/null\n+++ b/internal/y/y.go\n@@ -0,0 +1,8 @@\n+package y\n+\n+func Double(n int) int {\n" +
		"+\tif n == 7 {\n+\t\treturn 14\n+\t}\n+\treturn n + n\n+}\n"
	return c
}

// module writes a module whose root is used by a command, and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"], files["x/x.go"] = "module ex.com/m\n\ngo 1.24\n", before
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const tests = "package x\n\nimport \"testing\"\n\nfunc TestDouble(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Error(Double(2))\n\t}\n}\n"

// copied returns a file of the package with a function that copies a lock. Vet reports that,
// and go test does not.
func copied(name string) string {
	return "package x\n\nimport \"sync\"\n\ntype " + name + " struct{ sync.Mutex }\n\nfunc copy" + name + "(l *" + name + ") int {\n\tm := 1\n\tc := *l\n\t_ = &c\n\treturn m\n}\n"
}

// A diagnostic that moves, or that mentions a line that does, stays the same. One more of
// the same words is new.
func TestCompareDiagnostics(t *testing.T) {
	output := "# ex.com/m/x\n# [ex.com/m/x]\nvet: /copy/x/x.go:4:9: undefined: m\n\thave int\n# ex.com/m/y\nsub/y/y.go:1:1: odd\nno position\n"
	want := []string{"x/x.go:4:9: undefined: m", "sub/y/y.go:1:1: odd", "no position"}
	if got := diagnostics(output); !slices.Equal(got, want) {
		t.Errorf("diagnostics %q", got)
	}
	before := []string{"x.go:9:7: a copies lock: sync.Mutex", "x.go:20:2: the cancel var defined on line 12 is lost", "y.go:1:1: gone"}
	after := []string{
		"x.go:11:3: a copies lock: sync.Mutex", "x.go:22:2: the cancel var defined on line 14 is lost",
		"x.go:30:3: a copies lock: sync.Mutex", "x.go:4:9: undefined: m", "z.go:11:3: a copies lock: sync.Mutex",
	}
	added, older := compareDiagnostics(before, after)
	if !slices.Equal(older, after[:2]) || !slices.Equal(added, after[2:]) {
		t.Errorf("added %q, older %q", added, older)
	}
}

func TestProve(t *testing.T) {
	double := change("n + n", "2 * n")
	moved := change("return n + n", "if n == 7 {\n\t\treturn n + n\n\t}\n\treturn 2 * n")
	proposed := moved
	proposed.Check = proposal
	// A test that fails in its second run only, which is the first one with the change.
	sometimes := fmt.Sprintf(`package x

import (
	"os"
	"testing"
)

func TestDouble(t *testing.T) {
	const file = %q
	runs, _ := os.ReadFile(file)
	os.WriteFile(file, append(runs, 'x'), 0o666)
	if Double(2) != 4 || len(runs) == 1 {
		t.Error(len(runs))
	}
}
`, filepath.Join(t.TempDir(), "runs"))
	for name, c := range map[string]struct {
		files  map[string]string
		change Change
		want   Outcome
		why    string
	}{
		"right":           {map[string]string{"x/x_test.go": tests}, double, Kept, "the tests of ex.com/m/x pass"},
		"wrong":           {map[string]string{"x/x_test.go": tests}, change("n + n", "3 * n"), Rejected, "tests fails with it: --- FAIL: TestDouble"},
		"no Go":           {map[string]string{"x/x_test.go": tests}, change("n + n", "m"), Rejected, "vet fails with it: "},
		"without tests":   {map[string]string{}, double, Unproven, "no package that it affects has tests"},
		"not run":         {map[string]string{"x/x_test.go": tests}, change("return 0", "return 1 - 1"), Unproven, "no test runs line 8 of x/x.go"},
		"moved":           {map[string]string{"x/x_test.go": tests}, moved, Kept, ""},
		"moved by others": {map[string]string{"x/x_test.go": tests}, proposed, Unproven, "no test runs line 5 of x/x.go"},
		"fails sometimes": {map[string]string{"x/x_test.go": sometimes}, double, Unproven, "tests fails only sometimes"},
		"broken before":   {map[string]string{"x/x_test.go": strings.Replace(tests, "!= 4", "== 4", 1)}, double, Unproven, "the tests fail without any change: --- FAIL: TestDouble"},
		// A package that depends on it is tested, too.
		"by a user": {map[string]string{"y/y.go": "package y\n\nimport \"ex.com/m/x\"\n\nvar Six = x.Double(3)\n",
			"y/y_test.go": "package y\n\nimport \"testing\"\n\nfunc TestSix(t *testing.T) {\n\tif Six != 6 {\n\t\tt.Error(Six)\n\t}\n}\n"},
			change("n + n", "3 * n"), Rejected, "tests fails with it: --- FAIL: TestSix"},
		// Vet's complaints about the original are none about the change.
		"vetted before": {map[string]string{"x/x_test.go": tests, "x/old.go": copied("Old")}, double, Kept, "vet reports without it, too: x/old.go:9:"},
		"vet is new": {map[string]string{"x/x_test.go": tests, "x/old.go": copied("Old")}, change("n + n", "n + n\n\tpanic(n)"), Rejected,
			"vet fails with it: x/x.go:5:2: unreachable code"},
		// The tests have to run the lines of a new package, too.
		"a new package": {map[string]string{"x/x_test.go": tests}, packaged(), Unproven, "no test runs line 5 of internal/y/y.go"},
		"beside others": {map[string]string{"x/x_test.go": tests, "z/z.go": "package z\n\nfunc broken() { undefined() }\n"}, double, Kept, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := module(t, c.files)
			w, err := copyTree(t.Context(), dir, "")
			if err != nil {
				t.Fatal(err)
			}
			defer w.remove()
			got := c.change
			if err := (Plan{Tests: DefaultTests, Race: name == "right"}).prove(t.Context(), w, &got); err != nil {
				t.Fatal(err)
			}
			if n := len(got.Proof); name == "right" && (got.Proof[n-2].Name != "race" || got.Proof[n-1].Output != "Double") {
				t.Errorf("last steps %+v", got.Proof)
			}
			if got.Outcome != c.want || !strings.Contains(got.Why, c.why) {
				t.Errorf("%s: %s, want %s: %s", got.Outcome, got.Why, c.want, c.why)
			}
			for _, file := range []string{filepath.Join(dir, "x", "x.go"), filepath.Join(w.root, "x", "x.go")} {
				if text, err := os.ReadFile(file); err != nil || string(text) != before {
					t.Errorf("%s is changed: %v", file, err)
				}
			}
		})
	}
}

// A hanging test ends with its time.
func TestHangingTest(t *testing.T) {
	dir := module(t, map[string]string{"x/x_test.go": strings.Replace(tests, "if Double", "if Double(1) == 3 {\n\t\tselect {}\n\t}\n\tif Double", 1)})
	w, err := copyTree(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.remove()
	if s := w.run(t.Context(), 1, "tests", "test", "./..."); s.Passed || !strings.Contains(s.Output, "it took longer than 1ns") {
		t.Errorf("%+v", s)
	}
}

// The copy finds modules beside the original, and has no repository.
func TestCopyTree(t *testing.T) {
	dir := module(t, map[string]string{".git/config": "", "out/report.html": ""})
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module ex.com/m\n\ngo 1.24\n\nreplace (\n\tex.com/in => ./in\n\tex.com/beside => ../beside\n)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := copyTree(t.Context(), dir, filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.remove()
	text, err := os.ReadFile(filepath.Join(w.root, "go.mod"))
	if want := filepath.Join(filepath.Dir(dir), "beside"); err != nil || !strings.Contains(string(text), want) || !strings.Contains(string(text), "ex.com/in => ./in") {
		t.Errorf("%v\n%s", err, text)
	}
	for _, name := range []string{".git", "out"} {
		if _, err := os.Stat(filepath.Join(w.root, name)); err == nil {
			t.Errorf("%s is copied", name)
		}
	}
}

func unifiedOf(name, before, after string) string {
	return string(edit.Diff(name, []byte(before), []byte(after)))
}

// gainTo returns a proven gain of CPU time.
func gainTo(ratio float64) *Gain {
	return &Gain{Geomean: map[string]float64{cpu: ratio}, Better: []Effect{{Metric: cpu, Ratio: ratio}}}
}

// An interruption before all changes are proven together leaves the best of them.
func TestInterruptedCombination(t *testing.T) {
	dir := module(t, map[string]string{})
	small, large := change("return 0", "return 1 - 1"), change("n + n", "2 * n")
	small.Outcome, small.Gain = Kept, gainTo(0.9)
	large.Outcome, large.Gain = Kept, gainTo(0.5)
	d := &Document{Root: dir, Changes: []Change{small, large}, Diagnosis: &diagnose.Document{}}
	p := Plan{Target: &target.Packages{Names: []string{"./x"}}, Dir: dir, OutDir: t.TempDir(), NewDocument: experiment.NewDocument}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.combine(ctx, d, 1); err == nil {
		t.Error("no error")
	}
	if d.Patch != large.Patch || d.Gain != large.Gain || d.Changes[0].Outcome != Rejected {
		t.Errorf("patch %s\nchanges %+v", d.Patch, d.Changes)
	}
}

// A run that is continued combines the changes again that an interruption has separated.
func TestReopen(t *testing.T) {
	d := &Document{Patch: "one", Notes: []string{"other", "all changes together were not measured" + onlyBest}, Changes: []Change{
		{Patch: "one", Outcome: Kept, Gain: &Gain{}}, {Patch: "two", Outcome: Kept, Gain: &Gain{}}, {Patch: "three", Outcome: Rejected, Why: "worse"}}}
	d.keepOnly(&d.Changes[0])
	if d.outcomes(Kept) != 1 {
		t.Fatalf("%+v", d.Changes)
	}
	d.reopen()
	if d.outcomes(Kept) != 2 || d.outcomes(Rejected) != 1 || d.Patch != "" || len(d.Notes) != 1 {
		t.Errorf("%+v", d)
	}
}

// unbuildable is a target of which no cell builds.
type unbuildable struct{ target.Target }

func (unbuildable) Build(context.Context, *target.Cell) error { return errors.New("no time") }
func (unbuildable) Facts() target.Facts                       { return target.Facts{Kind: "unbuildable"} }
func (unbuildable) String() string                            { return "unbuildable" }

// A comparison of all changes that fails takes nothing from the changes that are proven.
func TestCombineWithoutMeasurement(t *testing.T) {
	dir := module(t, map[string]string{"x/x_test.go": tests})
	other := change("return 0", "return 1 - 1")
	double := change("n + n", "2 * n")
	double.Gain, other.Gain = gainTo(0.5), gainTo(0.7)
	double.Outcome, other.Outcome = Kept, Kept
	d := &Document{Root: dir, Changes: []Change{other, double}, Diagnosis: &diagnose.Document{}}
	p := Plan{
		Target: unbuildable{}, Dir: dir, OutDir: t.TempDir(),
		NewDocument: func() *result.Document { return &result.Document{} },
		Save:        func(*Document) error { return nil },
	}
	if err := p.combine(t.Context(), d, time.Second); err != nil {
		t.Fatal(err)
	}
	if d.Patch != double.Patch || d.Changes[0].Why != notTogether || len(d.Notes) != 1 ||
		!strings.Contains(d.Notes[0], "could not be measured: ") {
		t.Errorf("patch %q, changes %+v, notes %q", d.Patch, d.Changes, d.Notes)
	}
}
