package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heapwright/heapwright/internal/process/spawn"
)

// startSmall starts a program from a process with a small memory; see the
// package comment.
func startSmall(prog program, files [3]*os.File) (*process, error) {
	if os.Args[0] == spawn.Name { // it did not recognise itself
		return nil, errors.ErrUnsupported
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	request := spawn.Request{
		Path: prog.path, Dir: prog.dir, Join: prog.join, Alone: prog.confined, Argv: prog.argv, Env: prog.env,
	}
	cmd := exec.Command(self)
	cmd.Args = []string{spawn.Name}
	cmd.Env = []string{} // a GODEBUG for the program is not for its starter
	cmd.Stdin = strings.NewReader(request.Encode())
	cmd.ExtraFiles = files[:]
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if prog.confined {
		apart(cmd.SysProcAttr)
	}
	var reply bytes.Buffer
	cmd.Stdout, cmd.Stderr = &reply, &reply
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	group := cmd.Process.Pid
	var s spawn.Reply
	if err = cmd.Wait(); err == nil {
		_, err = fmt.Sscanf(reply.String(), "%d %d %d\n", &s.PID, &s.Clock, &s.Peak)
	}
	if err != nil {
		reapGroup(group)
		return nil, fmt.Errorf("spawn: %w: %s", err, bytes.TrimSpace(reply.Bytes()))
	}
	began := time.Now().Add(-time.Duration(monotonic() - s.Clock))
	return &process{pid: s.PID, group: group, began: began, floor: s.Peak}, nil
}

// reapGroup takes the children that a failed starter left us: the process
// that could not execute the program is ours too.
func reapGroup(group int) {
	syscall.Kill(-group, syscall.SIGKILL)
	for {
		if _, err := syscall.Wait4(-group, nil, 0, nil); err != nil && err != syscall.EINTR {
			return
		}
	}
}

// monotonic reads the clock that all processes share, in nanoseconds.
func monotonic() int64 {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // cannot fail for this clock
	return t.Nano()
}
