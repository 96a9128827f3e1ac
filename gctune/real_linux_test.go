package gctune

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const groupLimit = 128 << 20

// inGroup runs a scenario of child in a new memory cgroup and reports whether
// the kernel killed it for want of memory, and its output. It skips the test
// where no such group can be made.
func inGroup(t *testing.T, scenario string, env ...string) (killed bool, said string) {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector takes several times the memory of the heap, which the group has no room for")
	}
	dir := newCgroup(t, groupLimit)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "GCTUNE_CHILD="+scenario, "GOMAXPROCS=2")...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	joined := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(cmd.Process.Pid)), 0)
	if joined == nil {
		_, err = fmt.Fprintln(in, "go")
	}
	in.Close()
	waited := cmd.Wait()
	if joined != nil {
		t.Skipf("cannot move a process into a memory cgroup: %v", joined)
	}
	if err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if errors.As(waited, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signal() == syscall.SIGKILL {
			return true, out.String()
		}
	}
	if waited != nil || !strings.Contains(out.String(), "done") {
		t.Fatalf("%s: %v\n%s", scenario, waited, &out)
	}
	return false, out.String()
}

// newCgroup makes a memory cgroup under the root of whichever hierarchy has
// the controller.
func newCgroup(t *testing.T, limit int64) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("making a memory cgroup needs root")
	}
	name := fmt.Sprintf("gctune-test-%d-%d", os.Getpid(), time.Now().UnixNano())
	limited := strconv.FormatInt(limit, 10)
	for _, at := range []struct{ base, limit, swap, most string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", limited},
		{"/sys/fs/cgroup", "memory.max", "memory.swap.max", "0"},
	} {
		if _, err := os.Stat(filepath.Join(at.base, "cgroup.procs")); err != nil {
			continue
		}
		dir := filepath.Join(at.base, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Skipf("cannot make a memory cgroup: %v", err)
		}
		t.Cleanup(func() { os.Remove(dir) })
		if err := os.WriteFile(filepath.Join(dir, at.limit), []byte(limited), 0); err != nil {
			t.Skipf("cannot limit a memory cgroup: %v", err)
		}
		// Memory that is swapped out is not charged. Without the file there may be no swap.
		if err := os.WriteFile(filepath.Join(dir, at.swap), []byte(at.most), 0); err != nil && swaps() {
			t.Skipf("cannot keep a memory cgroup from swapping: %v", err)
		}
		return dir
	}
	t.Skip("no memory cgroup controller is mounted under /sys/fs/cgroup")
	return ""
}

// swaps reports whether the machine has swap: a line for each below a head.
func swaps() bool {
	b, err := os.ReadFile("/proc/swaps")
	return err == nil && bytes.Count(b, []byte{'\n'}) > 1
}

// The runtime alone must die of it, or the test would not test anything.
func TestNoKillInASwing(t *testing.T) {
	survives(t, "swing")
	if killed, _ := inGroup(t, "swing", "GCTUNE_OFF=1"); !killed {
		t.Error("the runtime alone survives the swing")
	}
}

func TestNoKillByMemoryOutsideTheHeap(t *testing.T) { survives(t, "outside") }

// survives runs a scenario that the process has to survive. On a busy machine one
// kill now and then is the system's doing, two in a row are not.
func survives(t *testing.T, scenario string) {
	t.Helper()
	for try := range 2 {
		killed, said := inGroup(t, scenario)
		if !killed {
			return
		}
		t.Logf("try %d: killed:\n%s", try+1, said)
	}
	t.Error("killed twice")
}

// TestProfilesBeforeTheKill has heapwright diagnose read the profiles that a killed
// process has left.
func TestProfilesBeforeTheKill(t *testing.T) {
	dir := t.TempDir()
	killed, said := inGroup(t, "leak", "GCTUNE_PROFILES="+dir)
	if !killed {
		t.Errorf("not killed: the test does not test anything\n%s", said)
	}
	files := names(t, dir)
	if len(files) < 3 {
		t.Fatalf("profiles on disk: %v\n%s", files, said)
	}
	out, err := exec.Command("go", "run", "../cmd/heapwright", "diagnose", "-o", t.TempDir(), dir).CombinedOutput()
	// Fewer than three sets name the holder of the heap, not its growth.
	named := regexp.MustCompile(`leaked only grows|holds \d+% of the live heap`)
	if err != nil || !strings.Contains(string(out), "child_test.go") || !named.Match(out) {
		t.Errorf("diagnose of %v does not name the leak: %v\n%s", files, err, out)
	}
}
