//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// process is a child of ours in a process group of its own.
type process struct {
	pid   int
	group int
	began time.Time
	floor int64 // Usage.Floor

	reaped bool // awaitExit already took the status below
	status syscall.WaitStatus
	rusage syscall.Rusage
}

func start(prog program, files [3]*os.File) (*process, error) {
	p, err := startSmall(prog, files)
	// Only a starter can join a control group, or leave the network, before the program runs.
	if err == nil || prog.join != "" || prog.confined {
		return p, err
	}
	// Whatever kept the starter from it, if it is the program's fault then
	// the direct way meets it again.
	return startDirect(prog, files)
}

func startDirect(prog program, files [3]*os.File) (*process, error) {
	began := time.Now()
	pid, err := syscall.ForkExec(prog.path, prog.argv, &syscall.ProcAttr{
		Dir:   prog.dir,
		Env:   prog.env,
		Files: []uintptr{files[0].Fd(), files[1].Fd(), files[2].Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return nil, err
	}
	return &process{pid: pid, group: pid, began: began, floor: ownPeak()}, nil
}

// terminate asks every process of the group to end.
func (p *process) terminate() { syscall.Kill(-p.group, syscall.SIGTERM) }

// kill ends every process of the group; there may be none.
func (p *process) kill() { syscall.Kill(-p.group, syscall.SIGKILL) }

// reap takes the status and the usage of the ended process.
func (p *process) reap(out *Outcome) error {
	if !p.reaped {
		if err := p.wait(); err != nil {
			return os.NewSyscallError("wait4", err)
		}
	}
	ru := &p.rusage
	out.Usage = Usage{
		User:        time.Duration(ru.Utime.Nano()),
		System:      time.Duration(ru.Stime.Nano()),
		PeakRSS:     int64(ru.Maxrss) * maxrssUnit,
		Floor:       p.floor,
		MinorFaults: int64(ru.Minflt),
		MajorFaults: int64(ru.Majflt),
		Voluntary:   int64(ru.Nvcsw),
		Involuntary: int64(ru.Nivcsw),
	}
	out.ExitCode = p.status.ExitStatus() // -1 where it did not exit
	if p.status.Signaled() {
		out.Signal = p.status.Signal()
	}
	return nil
}

func (p *process) wait() error {
	for {
		_, err := syscall.Wait4(p.pid, &p.status, 0, &p.rusage)
		if !errors.Is(err, syscall.EINTR) {
			p.reaped = err == nil
			return err
		}
	}
}
