package arena

import (
	"os"
	"os/exec"
	"testing"
)

// TestStalePointersUnderGC runs TestStalePointersDoNoHarm where the collector
// checks its own marking and overwrites the memory it frees.
func TestStalePointersUnderGC(t *testing.T) {
	if testing.Short() || !reuse {
		t.Skip("takes some seconds")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestStalePointersDoNoHarm$")
	cmd.Env = append(os.Environ(), "GODEBUG=gccheckmark=1,clobberfree=1", "GOGC=20")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
