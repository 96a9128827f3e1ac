package workloads

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// place is a line of a file.
type place struct {
	File string
	Line int
}

// at reports whether the finding is expected there.
func (w want) at(p place) bool { return w.file == filepath.Base(p.File) && w.line == p.Line }

// TestVet profiles the benchmarks of the programs with planted faults. With the
// profiles, vet reports planted lines and nothing else. A report about a variable may
// name the line as a related place, where the memory is allocated.
func TestVet(t *testing.T) {
	if os.Getenv("HEAPWRIGHT_THOROUGH") == "" {
		t.Skip("it builds the tool and takes ten seconds: HEAPWRIGHT_THOROUGH=1 runs it")
	}
	for _, test := range []struct {
		program string
		times   string   // that its benchmarks run: in a profile of few samples, one is a large share
		reports []string // that it has at least
	}{
		{"leakygateway", "20000x", []string{"mapwithoutsize"}},
		{"stackstore", "100x", nil}, // its planted line needs an arena, which no check advises
	} {
		t.Run(test.program, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cpu, heap := filepath.Join(dir, "cpu.pprof"), filepath.Join(dir, "heap.pprof")
			bench := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-run=^$", "-bench=.", "-benchtime="+test.times,
				"-cpuprofile="+cpu, "-memprofile="+heap, "-o="+filepath.Join(dir, "program.test"), "./"+test.program)
			if out, err := bench.CombinedOutput(); err != nil {
				t.Fatalf("go test: %v\n%s", err, out)
			}
			vet := exec.CommandContext(t.Context(), "go", "run", "./cmd/heapwright", "vet", "-json", "-profile", cpu+","+heap, "./workloads/"+test.program)
			vet.Dir = ".."
			var stderr strings.Builder
			vet.Stderr = &stderr
			out, _ := vet.Output() // its exit code says that there are reports
			var doc struct {
				Reports []struct {
					place
					Check, Message string
					Related        []place
				}
				Failures []any
			}
			if err := json.Unmarshal(out, &doc); err != nil || len(doc.Failures) > 0 {
				t.Fatalf("%v\n%s%s", err, out, &stderr)
			}
			wants := wanted(t, test.program)
			var found []string
			for _, r := range doc.Reports {
				found = append(found, r.Check)
				named := append(r.Related, r.place)
				if !slices.ContainsFunc(wants, func(w want) bool { return slices.ContainsFunc(named, w.at) }) {
					t.Errorf("%s:%d: %s [%s]: not planted", r.File, r.Line, r.Message, r.Check)
				}
			}
			for _, check := range test.reports {
				if !slices.Contains(found, check) {
					t.Errorf("%s does not speak; the others: %q", check, found)
				}
			}
		})
	}
}
