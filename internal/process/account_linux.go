package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Account reads the system's account of the process until now; an error if it has
// ended. It costs the process nothing and this one three system calls.
func (r *Running) Account() (Account, error) {
	pid := r.process.pid
	// The clock of clock_getcpuclockid(3) counts in nanoseconds, where
	// /proc/PID/stat has ticks of 10 ms. MAKE_PROCESS_CPUCLOCK in
	// include/linux/posix-timers.h; 2 is CPUCLOCK_SCHED.
	var cpu unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &cpu); err != nil {
		return Account{}, fmt.Errorf("CPU clock of process %d: %w", pid, err)
	}
	kb, err := procField(procFile(pid, "status"), "VmHWM")
	if err != nil {
		return Account{}, fmt.Errorf("peak memory of process %d: %w", pid, err)
	}
	faults, err := pageFaults(pid)
	return Account{CPU: time.Duration(cpu.Nano()), PeakRSS: kb << 10, PageFaults: faults}, err
}

// ForgetPeak restarts Account.PeakRSS at the memory that is resident now.
func (r *Running) ForgetPeak() error {
	if err := os.WriteFile(procFile(r.process.pid, "clear_refs"), []byte("5"), 0); err != nil { // proc(5)
		return fmt.Errorf("forgetting the peak memory of a process: %w", err)
	}
	return nil
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

// pageFaults reads the fields minflt and majflt of /proc/PID/stat, the 10th
// and 12th; the second is the name in parentheses and may hold anything.
func pageFaults(pid int) (int64, error) {
	stat, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 10 {
		return 0, errors.New(procFile(pid, "stat") + ": too short")
	}
	minor, err1 := strconv.ParseInt(fields[7], 10, 64)
	major, err2 := strconv.ParseInt(fields[9], 10, 64)
	return minor + major, errors.Join(err1, err2)
}
