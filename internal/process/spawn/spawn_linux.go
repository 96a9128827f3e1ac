package spawn

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// init takes the place of main in a process that Start began: any program that
// links this package can be started as a starter, the binary of a test too.
func init() {
	if len(os.Args) == 0 || os.Args[0] != Name {
		return
	}
	started, err := start()
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString(strconv.Itoa(started.PID) + " " +
		strconv.FormatInt(started.Clock, 10) + " " + strconv.FormatInt(started.Peak, 10) + "\n")
	// Not os.Exit: the race detector would wait for a second.
	syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
}

func start() (s Reply, err error) {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return s, err
	}
	r, err := Decode(string(text))
	if err != nil {
		return s, err
	}
	attr := &syscall.ProcAttr{
		Dir:   r.Dir,
		Env:   r.Env,
		Files: []uintptr{3, 4, 5},
		// The target becomes our sibling.
		Sys: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_PARENT},
	}
	for _, fd := range attr.Files {
		syscall.CloseOnExec(int(fd))
	}
	shrink()
	if r.Join != "" {
		if err := os.WriteFile(r.Join, []byte("0"), 0); err != nil { // 0 is the writer
			return s, err
		}
	}
	if r.Alone {
		raiseLoopback()
		if err := giveUpRights(); err != nil {
			return s, err
		}
	}
	s.Clock = monotonic()
	s.PID, err = syscall.ForkExec(r.Path, r.Argv, attr)
	s.Peak = peak()
	return s, err
}

// shrink makes this process as small as possible: it returns the pages of its
// program file and resets its peak to the rest. Read-only pages of which none was
// copied belong to the file, so the kernel reads them again when they are used. A
// failure here shows in the peak.
func shrink() {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	var low, high uint64
	var clean bool
	for line := range strings.Lines(string(smaps)) {
		span, rest, _ := strings.Cut(line, " ")
		if from, to, ok := strings.Cut(span, "-"); ok {
			low, _ = strconv.ParseUint(from, 16, 64)
			high, _ = strconv.ParseUint(to, 16, 64)
			clean = strings.Contains(rest, " /") &&
				(strings.HasPrefix(rest, "r-xp ") || strings.HasPrefix(rest, "r--p "))
		}
		if clean && span == "Anonymous:" && strings.TrimSpace(rest) == "0 kB" {
			syscall.Syscall(syscall.SYS_MADVISE, uintptr(low), uintptr(high-low), syscall.MADV_DONTNEED)
		}
	}
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // proc(5): reset the peak RSS
}

// peak returns the peak RSS of this process in bytes, 0 where unknown.
func peak() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "\nVmHWM:")
	kb, _, _ := strings.Cut(rest, " kB\n")
	n, _ := strconv.ParseInt(strings.TrimSpace(kb), 10, 64)
	return n << 10
}

// monotonic reads the clock that all processes share, in nanoseconds.
func monotonic() int64 {
	const clockMonotonic = 1
	var t syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}
