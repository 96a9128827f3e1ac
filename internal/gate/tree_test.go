package gate

import (
	"os/exec"
	"strings"
	"testing"
)

func TestErrorsSayWhatTheCommandSaid(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	_, err := run(t.Context(), t.TempDir(), "git", "-c", "core.quotePath=false", "nosuchverb")
	if err == nil || !strings.HasPrefix(err.Error(), "git -c core.quotePath=false nosuchverb: ") || strings.Contains(err.Error(), "exit status") {
		t.Errorf("the error is %v", err)
	}
}
