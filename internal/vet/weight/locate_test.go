package weight

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/heapwright/heapwright/internal/profile"
)

// A profile without the first lines of functions, such as a converted one, is not
// called one of other source.
func TestProfileWithoutStartLines(t *testing.T) {
	for start, want := range map[int64]string{0: "the profiles have no first lines of functions", 90: "the profiles are of other source"} {
		lines, _ := located(t, start, 99, 1000)
		if len(lines.Notes) != 1 || !strings.HasPrefix(lines.Notes[0], want) {
			t.Errorf("first line %d: notes %q, want %q", start, lines.Notes, want)
		}
	}
}

// The costs of a line need three samples, however large its share is.
func TestFewSamples(t *testing.T) {
	for samples, want := range map[int64]struct {
		costs int
		note  string
	}{
		2:   {0, "the profiles have few samples of CPU: lines with less than 100% of it"},
		4:   {1, "the profiles have few samples of CPU: lines with less than 75% of it"},
		300: {1, ""},
	} {
		lines, source := located(t, 3, 4, samples)
		if costs := lines.Costs(Range{source, 4, 4}); len(costs) != want.costs {
			t.Errorf("%d samples: costs %v, want %d", samples, costs, want.costs)
		}
		if note := strings.Join(lines.Notes, "\n"); !strings.HasPrefix(note, want.note) || want.note == "" && note != "" {
			t.Errorf("%d samples: notes %q, want %q", samples, note, want.note)
		}
	}
}

// Where the checked packages only call dependencies, their profile is not taken for
// that of another program.
func TestDependenciesPay(t *testing.T) {
	for callee, want := range map[string]string{
		"example.org/dependency.G": "the samples are all of dependencies, which are not checked",
		"":                         "",
	} {
		lines, _ := located(t, 3, 4, 1000, callee)
		if note := strings.Join(lines.Notes, "\n"); !strings.HasPrefix(note, want) || want == "" && note != "" {
			t.Errorf("%q: notes %q, want %q", callee, note, want)
		}
	}
}

// located returns the lines of a source with a function on lines 3 and 4, as a CPU
// profile knows them whose samples are all of one line, or of a function that it calls.
func located(t *testing.T, start, line, samples int64, callee ...string) (lines *Lines, source string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "p")
	source = filepath.Join(dir, "p.go")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, []byte("package p\n\nfunc F() {\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := &pprof.Function{ID: 1, Name: "example.com/p.F", Filename: source, StartLine: start}
	at := &pprof.Location{ID: 1, Line: []pprof.Line{{Function: f, Line: line}}}
	functions, stack := []*pprof.Function{f}, []*pprof.Location{at}
	if name := strings.Join(callee, ""); name != "" {
		g := &pprof.Function{ID: 2, Name: name, Filename: "/mod/example.org/dependency@v1.0.0/g.go", StartLine: 1}
		functions = append(functions, g)
		stack = append([]*pprof.Location{{ID: 2, Line: []pprof.Line{{Function: g, Line: 1}}}}, at)
	}
	const period = 10e6
	file := filepath.Join(dir, "cpu.pb.gz")
	w, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	err = (&pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:     period, TimeNanos: 1, DurationNanos: 1,
		Function: functions, Location: stack,
		Sample: []*pprof.Sample{{Location: stack, Value: []int64{samples, samples * period}}},
	}).Write(w)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := Read([]string{file}, profile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Locate(map[string]Package{"example.com/p": {Files: []string{source}}}), source
}
