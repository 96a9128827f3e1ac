package process

import (
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// process is a child of ours in a process group and a job of its own.
type process struct {
	cmd   *exec.Cmd
	job   windows.Handle // 0 where the system refused one
	began time.Time
}

func start(prog program, files [3]*os.File) (*process, error) {
	p := &process{cmd: &exec.Cmd{
		Path: prog.path, Args: prog.argv, Dir: prog.dir, Env: prog.env,
		Stdin: files[0], Stdout: files[1], Stderr: files[2],
		SysProcAttr: &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP},
	}}
	p.began = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	// A process that the target starts before this is outside of the job. That
	// costs a leftover, not a figure.
	if job, err := windows.CreateJobObject(nil, nil); err == nil {
		p.job = job
		p.cmd.Process.WithHandle(func(h uintptr) {
			windows.AssignProcessToJobObject(job, windows.Handle(h))
		})
	}
	return p, nil
}

func (p *process) awaitExit() {
	p.cmd.Process.WithHandle(func(h uintptr) {
		windows.WaitForSingleObject(windows.Handle(h), windows.INFINITE)
	})
}

// terminate sends Ctrl-Break, which a Go program sees as an interrupt.
func (p *process) terminate() {
	windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.cmd.Process.Pid))
}

func (p *process) kill() {
	if p.job == 0 || windows.TerminateJobObject(p.job, 1) != nil {
		p.cmd.Process.Kill()
	}
}

// reap takes the status and the usage of the ended process. Windows counts
// neither context switches nor which faults needed I/O; see Missing.
func (p *process) reap(out *Outcome) error {
	defer windows.CloseHandle(p.job)
	var mem memoryCounters
	p.cmd.Process.WithHandle(func(h uintptr) {
		mem.size = uint32(unsafe.Sizeof(mem))
		getProcessMemoryInfo.Call(h, uintptr(unsafe.Pointer(&mem)), uintptr(mem.size))
	})
	if err := p.cmd.Wait(); err != nil && p.cmd.ProcessState == nil {
		return err
	}
	out.Usage = Usage{
		User:        p.cmd.ProcessState.UserTime(),
		System:      p.cmd.ProcessState.SystemTime(),
		PeakRSS:     int64(mem.peakWorkingSet),
		MinorFaults: int64(mem.pageFaults),
	}
	out.ExitCode = p.cmd.ProcessState.ExitCode()
	return nil
}

// memoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h.
type memoryCounters struct {
	size, pageFaults           uint32
	peakWorkingSet, workingSet uintptr
	quotas                     [4]uintptr
	pagefile, peakPagefile     uintptr
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")
