package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/process/processtest"
)

// A program that is given a memory is in the group from its first instruction,
// and no group is left when it has ended.
func TestMemory(t *testing.T) {
	const limit = 64 << 20
	if err := cgroup.Available(); err != nil {
		t.Skip(err)
	}

	out := mustRun(t, Command{Path: "cat", Args: []string{"/proc/self/cgroup"}, Memory: limit})
	if !strings.Contains(string(out.Stdout), "/heapwright-") {
		t.Errorf("it ran in\n%s", out.Stdout)
	}
	out = mustRun(t, Command{Path: processtest.Target(t), Args: []string{"live", "256"}, Memory: limit})
	if !out.OOMKilled || out.Failure != "killed: out of memory" {
		t.Errorf("with 256 MiB live it ended with %q", out.Failure)
	}
	if _, err := Start(Command{Path: "/dev/null", Memory: limit}); err == nil {
		t.Error("started what is no program")
	}
	for _, base := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/memory"} {
		left, err := filepath.Glob(filepath.Join(base, fmt.Sprintf("heapwright-%d-*", os.Getpid())))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}
