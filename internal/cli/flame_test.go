package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// Frames that a profile's writer does not want to be shown are dropped, as in go
// tool pprof. The figures are those of the remaining frames.
func TestFlameDropsFrames(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "cpu.pb")
	p := &gpprof.Profile{SampleType: []*gpprof.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, DropFrames: "clock_.*"}
	s := &gpprof.Sample{Value: []int64{1e9}}
	for i, name := range []string{"clock_gettime", "main.work", "main.main"} {
		fn := &gpprof.Function{ID: uint64(i + 1), Name: name}
		l := &gpprof.Location{ID: uint64(i + 1), Line: []gpprof.Line{{Function: fn, Line: 1}}}
		p.Function, p.Location, s.Location = append(p.Function, fn), append(p.Location, l), append(s.Location, l)
	}
	p.Sample = []*gpprof.Sample{s}
	for expression, dropped := range map[string]bool{"clock_.*": true, "": false, "(": false} {
		p.DropFrames = expression
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Write(f); err != nil {
			t.Fatal(err)
		}
		f.Close()
		out, err := os.Create(filepath.Join(dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		svg := filepath.Join(dir, "x.svg")
		if code := Main(t.Context(), Env{Stdout: out, Stderr: out}, []string{"flame", "-max-bytes", "2GiB", "-o", svg, file}); code != exitOK {
			said, _ := os.ReadFile(out.Name())
			t.Fatalf("exit code %d: %s", code, said)
		}
		picture, err := os.ReadFile(svg)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(picture), "clock_gettime") == dropped || !strings.Contains(string(picture), "main.work") {
			t.Errorf("drop_frames %q: %s", expression, picture)
		}
		if said, _ := os.ReadFile(out.Name()); strings.Contains(string(said), "all are shown") != (expression == "(") {
			t.Errorf("drop_frames %q: %s", expression, said)
		}
	}
}
