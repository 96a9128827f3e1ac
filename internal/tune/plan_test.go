package tune

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
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
		Target:      &experiment.Command{Args: []string{program, "-test.run=^TestFrail$"}},
		Dir:         t.TempDir(),
		NewDocument: experiment.NewDocument,
	}
	all := []candidate{{mode: "GOGC=50", family: pacing}}
	doc, err := p.compare(t.Context(), all, t.TempDir(), time.Millisecond)
	if err != nil || doc == nil {
		t.Fatalf("the comparison is %v, %v", doc, err)
	}
	if tried := judge(doc, all, 0); tried[0].Decision != verdict.Reject || !strings.HasPrefix(tried[0].Reason, "it fails: ") {
		t.Errorf("it is %s: %s", tried[0].Decision, tried[0].Reason)
	}
}
