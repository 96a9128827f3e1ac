package probe

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// starterName is the argument zero by which a process knows that it is the
// starter.
const starterName = "heapwright-starter"

// shimmed says that this program calls Shim: only then may it be executed
// again as a starter. Without it a starter would be a second run of the whole
// program.
var shimmed bool

// Shim must be the first call of main and TestMain of a program that calls
// Run. It does not return where the process is the starter of a target; see
// the package comment. Without it, Run works, but peak RSS has this process's
// own as its floor.
func Shim() {
	if os.Args[0] != starterName {
		shimmed = true
		return
	}
	if err := starter(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	// Not os.Exit: the race detector would wait for a second.
	unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
}

// startSmall starts a program from a process with a small memory.
//
// The starter reads the program from standard input, as strings that end in
// NUL, and gets the program's streams as descriptors 3 to 5. It answers with
// one line: the program's process ID, the monotonic clock just before, and its
// own peak RSS; or the error. The program stays in the starter's group.
func startSmall(prog program, files [3]*os.File) (*process, error) {
	if !shimmed {
		return nil, errors.ErrUnsupported
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	request := append([]string{prog.path, prog.dir, strconv.Itoa(len(prog.argv))}, prog.argv...)
	request = append(request, prog.env...)

	cmd := exec.Command(self)
	cmd.Args = []string{starterName}
	cmd.Env = []string{} // a GODEBUG for the program is not for its starter
	cmd.Stdin = strings.NewReader(strings.Join(request, "\x00"))
	cmd.ExtraFiles = files[:]
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var reply bytes.Buffer
	cmd.Stdout, cmd.Stderr = &reply, &reply
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{group: cmd.Process.Pid}
	err = cmd.Wait()
	var clock int64
	if err == nil {
		_, err = fmt.Sscanf(reply.String(), "%d %d %d\n", &p.pid, &clock, &p.floor)
	}
	if err != nil {
		reapGroup(p.group)
		return nil, fmt.Errorf("starter: %w: %s", err, bytes.TrimSpace(reply.Bytes()))
	}
	p.began = time.Now().Add(-time.Duration(monotonic() - clock))
	return p, nil
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

func starter() error {
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	request := strings.Split(string(in), "\x00")
	if len(request) < 3 {
		return errors.New("not a request")
	}
	path, dir := request[0], request[1]
	n, err := strconv.Atoi(request[2])
	if err != nil || n < 0 || n > len(request)-3 {
		return errors.New("not a request")
	}
	argv, env := request[3:3+n], request[3+n:]

	for fd := 3; fd <= 5; fd++ {
		syscall.CloseOnExec(fd)
	}
	shed()
	clock := monotonic()
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Dir:   dir,
		Env:   env,
		Files: []uintptr{3, 4, 5},
		Sys:   &syscall.SysProcAttr{Cloneflags: syscall.CLONE_PARENT},
	})
	if err != nil {
		return err
	}
	_, err = fmt.Println(pid, clock, ownPeak())
	return err
}

// shed makes this process as small as it can be: it gives back the pages of
// its program file and sets its peak to what is left. Pages that cannot be
// written and of which none was copied are the file's own, so they come back
// from it when they are used. What does not work here shows in ownPeak.
func shed() {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	var low, high uint64
	var clean bool
	for lines := bufio.NewScanner(bytes.NewReader(smaps)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if from, to, ok := strings.Cut(f[0], "-"); ok && len(f) >= 5 {
			low, _ = strconv.ParseUint(from, 16, 64)
			high, _ = strconv.ParseUint(to, 16, 64)
			clean = len(f) == 6 && f[5][0] == '/' && (f[1] == "r-xp" || f[1] == "r--p")
		}
		if f[0] == "Anonymous:" && clean && f[1] == "0" {
			unix.Syscall(unix.SYS_MADVISE, uintptr(low), uintptr(high-low), unix.MADV_DONTNEED)
		}
	}
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // proc(5): reset the peak RSS
}

// monotonic reads the clock that all processes share, in nanoseconds.
func monotonic() int64 {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // cannot fail for this clock
	return t.Nano()
}
