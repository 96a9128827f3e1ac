package cli

import (
	"io"
	"os"
	"testing"

	"github.com/heapwright/heapwright/internal/gate"
)

// CI acts on the exit code: a gate that decided nothing is no pass.
func TestGateExitCodes(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	open, passed, failed := gate.Row{Outcome: gate.Inconclusive, Limit: gate.Limit{Grow: 0.05}}, gate.Row{Outcome: gate.Pass}, gate.Row{Outcome: gate.Fail}
	for _, c := range []struct {
		name   string
		rows   []gate.Row
		strict bool
		want   int
	}{
		{"passed", []gate.Row{passed}, false, exitOK},
		{"passed and open", []gate.Row{open, passed}, false, exitOK},
		{"all open", []gate.Row{open, open}, false, exitIncomplete},
		{"all open, strict", []gate.Row{open}, true, exitFound},
		{"failed and open", []gate.Row{failed, open}, false, exitFound},
	} {
		f := gateFlags{strict: c.strict}
		f.plan.OutDir = t.TempDir()
		err := f.show(Env{Stdout: null, Stderr: null}, &gate.Result{Rows: c.rows})
		if code := exitCode(io.Discard, "gate", err); code != c.want {
			t.Errorf("%s: exit code %d, want %d: %v", c.name, code, c.want, err)
		}
	}
}
