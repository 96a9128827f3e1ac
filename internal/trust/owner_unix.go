//go:build unix

package trust

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"slices"
	"strconv"
	"syscall"
)

// checkOwner reports a file or folder that is neither the caller's nor root's, or that
// others can write. Of a link to a folder, both are checked.
func checkOwner(name string) error {
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if err := owned(name, info); err != nil {
			return err
		}
		info, err = os.Stat(name)
	}
	if err != nil {
		return err
	}
	return owned(name, info)
}

func owned(name string, info fs.FileInfo) error {
	s, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || info.Mode()&fs.ModeSymlink != 0 && slices.Contains(callers(), s.Uid):
		return nil // a link's permissions mean nothing
	case !slices.Contains(callers(), s.Uid):
		return fmt.Errorf("%s belongs to user %d", name, s.Uid)
	}
	return unwritable(name, info, s)
}

func unwritable(name string, info fs.FileInfo, s *syscall.Stat_t) error {
	switch {
	case info.Mode()&0o002 != 0:
		return fmt.Errorf("%s can be written by every user", name)
	case info.Mode()&0o020 != 0 && !private(s.Uid, s.Gid):
		return fmt.Errorf("%s can be written by group %d", name, s.Gid)
	}
	return nil
}

// checkPlace reports a folder in which others can rename the caller's files. With the
// sticky bit, as in /tmp, they cannot.
func checkPlace(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || info.Mode()&fs.ModeSticky != 0 {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return unwritable(dir, info, s)
}

// callers are the users whose files are trusted. Under sudo that is also the user who
// called it, as in git: the module is theirs, and they are trusted with root anyway.
func callers() []uint32 {
	all := []uint32{0, uint32(os.Geteuid())}
	if os.Geteuid() == 0 {
		if n, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32); err == nil {
			all = append(all, uint32(n))
		}
	}
	return all
}

// private reports whether a group is a user's own. Distributions that give each user a
// group of the same name set umask 002, so all files there can be written by a group of
// one. Numbers do not decide: the two differ on many machines, and on BSD and macOS group 0
// has the administrators as its members. A group without a known name is not private.
func private(uid, gid uint32) bool {
	u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10))
	if err != nil {
		return false
	}
	g, err := user.LookupGroupId(strconv.FormatUint(uint64(gid), 10))
	return err == nil && g.Name == u.Username && alone("/etc/group", "/etc/passwd", u.Username, g.Gid)
}
