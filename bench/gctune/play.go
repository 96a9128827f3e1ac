package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"syscall"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/cgroup"
)

// ending is how a worker ended.
type ending struct {
	last   point
	killed bool  // the kernel killed it for its memory
	peak   int64 // highest charge of the cgroup, bytes
}

// runWorker runs one worker in a cgroup of its own to its end.
func runWorker(ctx context.Context, j job, log *bytes.Buffer) (e ending, err error) {
	group, err := cgroup.New(j.Limit)
	if err != nil {
		return e, err
	}
	defer group.Remove()
	text, err := json.Marshal(j)
	if err != nil {
		return e, err
	}

	// The worker is this program again, with its job in a variable and nothing else that
	// could influence the runtime.
	self, err := os.Executable()
	if err != nil {
		return e, err
	}
	args := program.InGroup(group.Procs(), self)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = []string{workerVariable + "=" + string(text), "HOME=" + os.Getenv("HOME")}
	cmd.Stderr = log
	lines, err := cmd.StdoutPipe()
	if err != nil {
		return e, err
	}
	if err := cmd.Start(); err != nil {
		return e, err
	}
	defer func() { // a worker that still runs would keep its group from being removed
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	for points := json.NewDecoder(lines); points.Decode(&e.last) == nil; { // the kernel may have cut the last
	}

	// The OOM killer is an outcome of the comparison, and not an error.
	err = cmd.Wait()
	e.peak = group.Peak()
	if ctx.Err() != nil {
		return e, context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status, ok := exit.Sys().(syscall.WaitStatus)
		if e.killed = ok && status.Signaled() && status.Signal() == syscall.SIGKILL && group.OOMKilled(); e.killed {
			err = nil
		}
	}
	return e, err
}
