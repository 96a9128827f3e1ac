package gctune

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// outcome is how a child in a memory cgroup fared.
type outcome struct {
	killed  bool
	seconds float64
	work    int
	worst   float64 // highest share of the CPU that collections took in any second
	over    float64 // share of those seconds that were over the default cap
	log     string
	peak    int64
}

func (o outcome) String() string {
	return fmt.Sprintf("killed=%v after %.1fs, work %d, worst 1 s window of GC CPU %.0f %%, over the cap in %.0f %% of windows, peak charge %d MiB",
		o.killed, o.seconds, o.work, 100*o.worst, 100*o.over, o.peak>>20)
}

// inCgroup runs a scenario in a new memory cgroup of limit bytes, or skips.
func inCgroup(t *testing.T, limit int64, scenario string, env ...string) outcome {
	t.Helper()
	dir := newCgroup(t, limit)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "GCTUNE_CHILD="+scenario, "GOMAXPROCS=2")...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(cmd.Process.Pid)), 0); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		t.Skipf("cannot move a process into a memory cgroup: %v", err)
	}
	fmt.Fprintln(in, "go")

	type point struct{ at, gc float64 }
	var points []point
	var o outcome
	windows, over := 0, 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var p point
		var cycles, live, lim, gogc int
		if n, _ := fmt.Sscanf(lines.Text(), "at %g %d %g %d %d %d %d", &p.at, &o.work, &p.gc, &cycles, &live, &lim, &gogc); n != 7 {
			continue
		}
		if os.Getenv("GCTUNE_VERBOSE") != "" && len(points)%20 == 0 {
			t.Log(lines.Text())
		}
		points = append(points, p)
		o.seconds = p.at
		for i := len(points) - 1; i >= 0 && p.at > 3; i-- { // the first seconds have no history
			if dt := p.at - points[i].at; dt >= 1 {
				share := (p.gc - points[i].gc) / (2 * dt)
				windows++
				if share > defaultMaxGCCPU {
					over++
				}
				o.worst = max(o.worst, share)
				break
			}
		}
	}
	err = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		o.killed = true
	} else if err != nil {
		t.Fatalf("%s: %v\n%s", scenario, err, &stderr)
	}
	o.over = float64(over) / float64(max(windows, 1))
	o.log = stderr.String()
	for _, name := range []string{"memory.max_usage_in_bytes", "memory.peak"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			o.peak, _ = strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
		}
	}
	t.Logf("%s: %v", scenario, o)
	return o
}

// newCgroup makes a memory cgroup under the root of whichever hierarchy has
// the controller.
func newCgroup(t *testing.T, limit int64) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("making a memory cgroup needs root")
	}
	name := fmt.Sprintf("gctune-test-%d-%d", os.Getpid(), time.Now().UnixNano())
	for _, at := range []struct{ base, limit string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
		{"/sys/fs/cgroup", "memory.max"},
	} {
		if _, err := os.Stat(filepath.Join(at.base, "cgroup.procs")); err != nil {
			continue
		}
		dir := filepath.Join(at.base, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Skipf("cannot make a memory cgroup: %v", err)
		}
		t.Cleanup(func() { os.Remove(dir) })
		if err := os.WriteFile(filepath.Join(dir, at.limit), []byte(strconv.FormatInt(limit, 10)), 0); err != nil {
			t.Skipf("cannot limit a memory cgroup: %v", err)
		}
		return dir
	}
	t.Skip("no memory cgroup controller is mounted under /sys/fs/cgroup")
	return ""
}

// TestScenario runs what GCTUNE_SCENARIO says, for measurements:
//
//	GCTUNE_SCENARIO='swing gctune storms=30' GCTUNE_LIMIT=512 go test -run TestScenario -v ./gctune
func TestScenario(t *testing.T) {
	s := os.Getenv("GCTUNE_SCENARIO")
	if s == "" {
		t.Skip("GCTUNE_SCENARIO is not set")
	}
	limit, err := strconv.ParseInt(os.Getenv("GCTUNE_LIMIT"), 10, 64)
	if err != nil {
		limit = 512
	}
	o := inCgroup(t, limit<<20, s)
	t.Log(o.log)
}

// TestNoKillInASwing swings the live heap within a small memory cgroup. The
// full size is measured by TestScenario; this is the same in small.
func TestNoKillInASwing(t *testing.T) {
	if os.Getenv("GCTUNE_CGROUP") == "" {
		t.Skip("GCTUNE_CGROUP is not set: it needs a machine that nobody else keeps busy")
	}
	if o := inCgroup(t, 128<<20, "swing gctune storms=1 low=10 high=80 rate=300 pace=10"); o.killed {
		t.Errorf("killed:\n%s", o.log)
	}
}

// TestProfilesBeforeTheKill leaks until the kernel ends it.
func TestProfilesBeforeTheKill(t *testing.T) {
	if os.Getenv("GCTUNE_CGROUP") == "" {
		t.Skip("GCTUNE_CGROUP is not set: it needs a machine that nobody else keeps busy")
	}
	dir := t.TempDir()
	o := inCgroup(t, 128<<20, "leak gctune low=20 speed=20 rate=100", "GCTUNE_PROFILES="+dir)
	if !o.killed {
		t.Errorf("not killed: the test does not test anything\n%s", o.log)
	}
	files := names(t, dir)
	if len(files) < 3 {
		t.Fatalf("profiles on disk: %v\n%s", files, o.log)
	}
	out, err := exec.Command("go", "tool", "pprof", "-top", "-sample_index=inuse_space", filepath.Join(dir, files[2])).CombinedOutput()
	if err == nil && !strings.Contains(string(out), "gctune.retained") {
		t.Errorf("%s does not name the leak:\n%s", files[2], out)
	}
}
