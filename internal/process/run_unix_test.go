//go:build unix

package process

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

func TestSignal(t *testing.T) {
	out := mustRun(t, Command{Path: "/bin/sh", Args: []string{"-c", "echo bye; kill -SEGV $$"}})
	if out.Signal != syscall.SIGSEGV || out.ExitCode != -1 || out.Failure != "signal: segmentation fault" {
		t.Errorf("%+v", out)
	}
	out = mustRun(t, Command{Path: "/bin/sh", Args: []string{"-c", "kill -KILL $$"}})
	if out.OOMKilled || !strings.Contains(out.Failure, "killed") {
		t.Errorf("%+v", out)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	out := mustRun(t, Command{Path: processtest.Target(t), Args: []string{"orphan"}, WaitDelay: 50 * time.Millisecond})
	if out.Failure != "" {
		t.Fatalf("%+v", out)
	}
	// The orphan's word may come before its parent's.
	pid, err := strconv.Atoi(strings.TrimSpace(strings.Replace(string(out.Stdout), "hanging\n", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); alive(pid); {
		if time.Now().After(deadline) {
			t.Fatalf("process %d lives on", pid)
		}
	}
}

// alive reports whether a process runs: one that only waits for being reaped
// does not.
func alive(pid int) bool {
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		_, state, _ := strings.Cut(string(stat), ") ")
		return state[0] != 'Z' && state[0] != 'X'
	}
	return syscall.Kill(pid, 0) == nil
}

// A child's CPU time is the target's too.
func TestUsage(t *testing.T) {
	out := mustRun(t, Command{Path: processtest.Target(t), Args: []string{"parent", "200"}})
	child, err := time.ParseDuration(strings.TrimSpace(string(out.Stdout)))
	if err != nil {
		t.Fatal(err)
	}
	if u := out.Usage; child <= 0 || u.CPU() < child || u.MinorFaults <= 0 || u.Voluntary+u.Involuntary <= 0 {
		t.Errorf("the child took %v, the usage is %+v", child, u)
	}
	if out.Wall < 200*time.Millisecond {
		t.Errorf("200 ms took %v", out.Wall)
	}
}
