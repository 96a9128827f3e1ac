package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/heapwright/heapwright/internal/process/spawn"
)

// apart makes a starter, and with it the program that it starts, a member of a new user
// namespace and a new network namespace. The starter needs two capabilities there: to raise
// the loopback interface, and to give up all of them.
func apart(attr *syscall.SysProcAttr) {
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	attr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
}

// OwnNetwork reports whether confined processes get a network of their own on this system.
// It tries that with a starter that has no program to start.
var OwnNetwork = sync.OnceValue(func() bool {
	self, err := os.Executable()
	if err != nil || os.Args[0] == spawn.Name {
		return false
	}
	cmd := exec.Command(self)
	cmd.Args, cmd.Env = []string{spawn.Name}, []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	apart(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return false
	}
	cmd.Wait() // it fails, because it has nothing to start
	return true
})

// resident returns the resident memory of the process group in bytes.
func (p *process) resident() (sum int64) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	// proc(5): the fields after the name begin with state, ppid and pgrp; rss in pages is
	// the 22nd of them.
	const pgrp, rss = 2, 21
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " ")
		fields := strings.Fields(rest)
		if len(fields) <= rss || fields[pgrp] != strconv.Itoa(p.group) {
			continue
		}
		pages, _ := strconv.ParseInt(fields[rss], 10, 64)
		sum += pages * int64(os.Getpagesize())
	}
	return sum
}
