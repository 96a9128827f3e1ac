package fix

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/fix/propose"
	"github.com/heapwright/heapwright/internal/rules"
)

// What a proposer answers is refused, or it fails, before anything of it is built.
func TestProposers(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "proposer.exe")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/proposer").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for manner, want := range map[string]struct {
		why     []string // of each round
		rule    string
		time    time.Duration
		stopped bool // the proposer is not asked again
	}{
		"nothing":   {},
		"crash":     {why: []string{"exit status 2: out of ideas", "exit status 2", "exit status 2"}, stopped: true},
		"hang":      {why: []string{"timed out after ", "timed out", "timed out"}, time: 50 * time.Millisecond, stopped: true},
		"endless":   {why: []string{"timed out after ", "timed out", "timed out"}, time: 50 * time.Millisecond, stopped: true},
		"long":      {why: []string{"the answer is no unified diff, and has more than 1048576 bytes", "the answer", "the answer"}, stopped: true},
		"prose":     {why: []string{"it holds no unified diff", "proposed before", "proposed before"}, rule: "diff"},
		"outside":   {why: []string{"may only name files below", "proposed before", "proposed before"}, rule: "outside"},
		"test":      {why: []string{"refused by the rule test", "proposed before", "proposed before"}, rule: "test"},
		"gc":        {why: []string{"it uses runtime/debug.SetGCPercent", "proposed before", "proposed before"}, rule: "gc"},
		"benchmark": {why: []string{"it uses os.Args", "proposed before", "proposed before"}, rule: "benchmark"},
		"memo":      {why: []string{"the variable results keeps", "proposed before", "proposed before"}, rule: "memo"},
		"import":    {why: []string{"import net/http", "proposed before", "proposed before"}, rule: "import"},
		"types":     {why: []string{"undefined: m", "proposed before", "proposed before"}, rule: "types"},
	} {
		t.Run(manner, func(t *testing.T) {
			t.Parallel()
			root := module(t, map[string]string{"x/x_test.go": before})
			f := rules.Finding{Rule: "r", Title: "t", File: "x/x.go", Line: 4, Function: "x.Double"}
			d := &Document{Root: root, Diagnosis: &diagnose.Document{Findings: []rules.Finding{f}}}
			saved := 0
			p := Plan{
				OutDir: t.TempDir(), Most: DefaultMost, Save: func(*Document) error { saved++; return nil },
				Proposer: &propose.Proposer{Command: []string{program, manner}, Time: want.time},
			}
			if err := p.ask(t.Context(), d, time.Second); err != nil {
				t.Fatal(err)
			}
			if len(d.Changes) != len(want.why) || saved != len(d.Changes) || (len(d.Notes) > 0) != want.stopped {
				t.Fatalf("%+v, saved %d times, %q; want %q", d.Changes, saved, d.Notes, want.why)
			}
			for i, c := range d.Changes {
				if c.Outcome != Rejected || c.Round != i+1 || !strings.Contains(c.Why, want.why[i]) {
					t.Errorf("round %d: %s: %s, want %s", c.Round, c.Outcome, c.Why, want.why[i])
				}
			}
			if want.rule != "" && (len(d.Changes[0].Refused) == 0 || d.Changes[0].Refused[0].Rule != want.rule) {
				t.Errorf("refused by %v, want %s", d.Changes[0].Refused, want.rule)
			}
			if text, err := os.ReadFile(filepath.Join(root, "x/x.go")); err != nil || string(text) != before {
				t.Errorf("the user's file is changed: %v\n%s", err, text)
			}
			if all, _ := filepath.Glob(filepath.Join(p.OutDir, "*")); len(all) > 0 {
				t.Errorf("something was measured: %q", all)
			}
		})
	}
}
