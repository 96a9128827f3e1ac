package resident

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Of reads the memory of a process of this machine.
func Of(pid int) (*Memory, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/smaps", pid))
	if err != nil {
		return nil, explain(pid, err)
	}
	defer f.Close()
	m, err := Parse(f)
	if err != nil {
		return nil, explain(pid, err)
	}
	m.PID, m.Taken = pid, time.Now()
	slices.SortFunc(m.Mappings, func(a, b Mapping) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return m, nil
}

func explain(pid int, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("the mappings of process %d cannot be read: it belongs to another user; run heapwright as that user or as root", pid)
	}
	return fmt.Errorf("the mappings of process %d cannot be read: %w", pid, err)
}

// Listening returns the process of this machine that listens on a TCP port. It is
// found by the socket's inode, as ss -p does.
func Listening(port int) (pid int, err error) {
	inodes := map[string]bool{}
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(file)
		if err != nil {
			continue // without IPv6 there is no tcp6
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if inode, ok := listens(lines.Text(), port); ok {
				inodes["socket:["+inode+"]"] = true
			}
		}
		f.Close()
	}
	if len(inodes) == 0 {
		return 0, fmt.Errorf("no process of this machine listens on port %d", port)
	}
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	for _, dir := range processes {
		files, err := os.ReadDir(dir + "/fd")
		if err != nil {
			continue // another user's, or it has ended
		}
		for _, file := range files {
			if target, err := os.Readlink(filepath.Join(dir, "fd", file.Name())); err == nil && inodes[target] {
				return strconv.Atoi(filepath.Base(dir))
			}
		}
	}
	return 0, fmt.Errorf(
		"the process that listens on port %d belongs to another user; run heapwright as that user or as root", port)
}

// listens returns the inode of a line of /proc/net/tcp if it is a socket that listens
// on the port. Its second field is the local address, its fourth the state.
func listens(line string, port int) (inode string, ok bool) {
	const listen = "0A"
	f := strings.Fields(line)
	if len(f) < 10 || f[3] != listen {
		return "", false
	}
	_, at, _ := strings.Cut(f[1], ":")
	n, err := strconv.ParseUint(at, 16, 16)
	return f[9], err == nil && int(n) == port
}
