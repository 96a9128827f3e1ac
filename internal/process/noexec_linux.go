package process

import "golang.org/x/sys/unix"

// noexec reports whether a file system is mounted so that no program of it is started.
func noexec(path string) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && s.Flags&unix.ST_NOEXEC != 0
}
