package tune

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// TestFrail is a program that breaks with GOGC=50, when it is asked to.
func TestFrail(t *testing.T) {
	if os.Getenv("FRAIL") != "" && os.Getenv("GOGC") == "50" {
		t.Fatal("gone to pieces")
	}
}

// A mode that no run survives is rejected, though there is nothing to judge.
func TestEveryRunFails(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FRAIL", "yes")
	p := Plan{
		Target:      &target.Command{Args: []string{program, "-test.run=^TestFrail$"}},
		Dir:         t.TempDir(),
		NewDocument: experiment.NewDocument,
	}
	all := []candidate{{mode: "GOGC=50", family: pacing}}
	doc, err := p.compare(t.Context(), &clock{}, stage{candidates: all, dir: t.TempDir(), budget: time.Millisecond})
	if err != nil || doc == nil {
		t.Fatalf("the comparison is %v, %v", doc, err)
	}
	if tried := judge(doc, all, 0, Prices{}); tried[0].Decision != verdict.Reject || !strings.HasPrefix(tried[0].Reason, "it fails: ") {
		t.Errorf("it is %s: %s", tried[0].Decision, tried[0].Reason)
	}
}

// A stage that ended for want of time continues when it is given more, and only then.
func TestLongerBudget(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	began, dir := time.Now(), t.TempDir()
	p := Plan{
		Target:      &target.Command{Args: []string{program, "-test.run=^TestFrail$"}},
		Dir:         t.TempDir(),
		NewDocument: experiment.NewDocument,
	}
	blocks := func() int {
		doc, err := p.compare(t.Context(), &clock{}, stage{candidates: []candidate{{mode: "GOGC=50", family: pacing}}, dir: dir, budget: time.Millisecond})
		if err != nil || doc == nil || doc.Stopped != experiment.OutOfTime {
			t.Fatalf("the comparison is %+v, %v", doc, err)
		}
		if err := result.Save(filepath.Join(dir, experiment.ReportFile), doc); err != nil {
			t.Fatal(err)
		}
		return doc.Blocks
	}
	first := blocks()
	p.Before = &Document{Made: began}
	if again := blocks(); again != first {
		t.Errorf("with the same budget %d blocks became %d", first, again)
	}
	p.Longer = true
	if again := blocks(); again <= first {
		t.Errorf("with another budget %d blocks became %d", first, again)
	}
}
