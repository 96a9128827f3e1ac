package target

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// Every kind of target is the same again after it was recorded.
func TestRecordedTargets(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "body"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	shape, err := load.Plan{Shape: "storm", Duration: time.Minute}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	targets := []Target{
		&Packages{Names: []string{"./..."}, Bench: "A|B", Only: []sample.Key{{Package: "p", Benchmark: "A/x"}}},
		&Command{Main: "./cmd/x", Args: []string{"-n", "1 2"}},
		&Command{Args: []string{"./x", "-y"}},
		&Server{Command: Command{Main: "."}, Source: load.Source{URL: "http://127.0.0.1:{port}/", Body: "body"}, Plan: shape, Rate: 12.5,
			Ready: Ready{URL: "http://127.0.0.1:{port}/ready", Timeout: time.Second}},
	}
	for _, want := range targets {
		r, err := Record(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Open(t.Context(), r, dir)
		if err != nil {
			t.Errorf("%s: %v", r.Spec, err)
			continue
		}
		if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Server{})); d != "" {
			t.Errorf("%s: %s", r.Spec, d)
		}
		if got.String() != want.String() || !cmp.Equal(got.Facts(), want.Facts()) {
			t.Errorf("%s has the facts %+v, had %+v", got, got.Facts(), want.Facts())
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		`{"kind":"script","spec":{}}`:                                        `does not know targets of the kind "script"`,
		`{"kind":"packages","spec":[]}`:                                      "damaged",
		`{"kind":"server","spec":{"source":{"url":"http://h/","body":"b"}}}`: "the body of requests",
	} {
		var r result.PlannedTarget
		if err := json.Unmarshal([]byte(spec), &r); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), r, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
}
