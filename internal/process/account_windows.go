package process

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Account reads the system's account of the process until now.
func (r *Running) Account() (Account, error) {
	var created, ended, kernel, user windows.Filetime
	mem := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	var err error
	r.process.cmd.Process.WithHandle(func(h uintptr) {
		err = windows.GetProcessTimes(windows.Handle(h), &created, &ended, &kernel, &user)
		getProcessMemoryInfo.Call(h, uintptr(unsafe.Pointer(&mem)), uintptr(mem.size))
	})
	if err != nil {
		return Account{}, fmt.Errorf("times of a process: %w", err)
	}
	return Account{
		CPU:        ticks(kernel) + ticks(user),
		PeakRSS:    int64(mem.peakWorkingSet),
		PageFaults: int64(mem.pageFaults),
	}, nil
}

// ticks is a span of time as Windows counts it, in 100 ns.
func ticks(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}

// ForgetPeak cannot be done: Windows keeps the peak since the start.
func (r *Running) ForgetPeak() error {
	return fmt.Errorf("Windows does not report the peak memory of a part of a run: %w", errors.ErrUnsupported)
}
