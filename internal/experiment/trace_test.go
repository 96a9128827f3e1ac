package experiment

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/target"
)

// untraced is a target whose runs leave no trace.
type untraced struct{ *fake }

func (untraced) Profile(context.Context, *target.Cell, target.Profiling) (process.Outcome, error) {
	return process.Outcome{}, nil
}

func TestTraceOfAnEarlierExperimentDoesNotCount(t *testing.T) {
	dir := lab(t)
	synctest.Test(t, func(t *testing.T) {
		p := planOf(t, &fake{}, "default,GOGC=50", dir)
		p.Target, p.Blocks, p.Trace = untraced{&fake{}}, 1, true
		stale := filepath.Join(p.OutDir, "traces", "01-01-default.trace")
		if err := os.MkdirAll(filepath.Dir(stale), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(stale, []byte("go 1.26 trace\x00\x00\x00"), 0o644); err != nil {
			t.Fatal(err)
		}
		doc, err := begin(t.Context(), p)
		if err != nil || len(doc.Traces) != 2 {
			t.Fatalf("%+v, %v", doc.Traces, err)
		}
		if failed := doc.Traces[0].Failed; !strings.Contains(failed, "the run left no trace") {
			t.Errorf("it failed by %q", failed)
		}
	})
}
