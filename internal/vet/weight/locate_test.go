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
	dir := filepath.Join(t.TempDir(), "p")
	source := filepath.Join(dir, "p.go")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, []byte("package p\n\nfunc F() {\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for start, want := range map[int64]string{0: "the profiles have no first lines of functions", 90: "the profiles are of other source"} {
		f := &pprof.Function{ID: 1, Name: "example.com/p.F", Filename: source, StartLine: start}
		at := &pprof.Location{ID: 1, Line: []pprof.Line{{Function: f, Line: 99}}}
		file := filepath.Join(t.TempDir(), "cpu.pb.gz")
		w, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		err = (&pprof.Profile{
			SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
			PeriodType: &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"},
			Period:     1, TimeNanos: 1, DurationNanos: 1,
			Function: []*pprof.Function{f}, Location: []*pprof.Location{at},
			Sample: []*pprof.Sample{{Location: []*pprof.Location{at}, Value: []int64{1, 10}}},
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
		lines := p.Locate(map[string]Package{"example.com/p": {Files: []string{source}}})
		if len(lines.Notes) != 1 || !strings.HasPrefix(lines.Notes[0], want) {
			t.Errorf("first line %d: notes %q, want %q", start, lines.Notes, want)
		}
	}
}
