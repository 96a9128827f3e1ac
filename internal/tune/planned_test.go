package tune

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/target"
)

// A tuning continues by the plan in its document, and by nothing else.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tune.json")
	write := func(doc *Document) {
		t.Helper()
		data, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	doc := &Document{Schema: Schema, Tool: "v0.9", Diagnosis: &diagnose.Document{}}
	write(doc)
	if _, err := Resume(t.Context(), file); err == nil || !strings.Contains(err.Error(), "older heapwright (v0.9)") {
		t.Errorf("a document without a plan: %v", err)
	}

	want := Plan{
		Target: &target.Packages{Names: []string{"./..."}}, Dir: t.TempDir(), Budget: time.Minute, RunTime: time.Second,
		MaxRSS: 1 << 30, Prices: Prices{CPU: 25, GiB: 3, Instances: 200}, Seed: 7,
	}
	var err error
	if doc.Plan, err = want.record(); err != nil {
		t.Fatal(err)
	}
	write(doc)
	got, err := Resume(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if got.Before == nil || got.Before.Tool != "v0.9" {
		t.Errorf("it goes on with %+v", got.Before)
	}
	got.Before, want.Before = nil, nil
	if d := cmp.Diff(want, got, cmp.AllowUnexported(Plan{})); d != "" {
		t.Error(d)
	}
}
