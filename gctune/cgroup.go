package gctune

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// controllerDirs finds the directories of the memory controller for a process,
// the process's own group first and its parents after it up to the mount, from
// the content of /proc/self/cgroup and /proc/self/mountinfo. On a hybrid
// system the controller lives in either hierarchy; both are returned, since a
// directory without the controller has no limit files. Paths are relative to
// the root of the file system.
func controllerDirs(cgroup, mountinfo string) (dirs []controllerDir) {
	for line := range strings.Lines(cgroup) {
		id, rest, ok1 := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, group, ok2 := strings.Cut(rest, ":")
		if !ok1 || !ok2 {
			continue
		}
		v2 := id == "0" && controllers == ""
		if !v2 && !slices.Contains(strings.Split(controllers, ","), "memory") {
			continue
		}
		m, ok := mountOf(mountinfo, group, v2)
		if !ok {
			continue
		}
		for dir := m.dir(group); ; dir = path.Dir(dir) {
			dirs = append(dirs, controllerDir{strings.TrimPrefix(dir, "/"), v2})
			if dir == m.point || dir == "/" {
				break
			}
		}
	}
	return dirs
}

type controllerDir struct {
	name string
	v2   bool
}

// mount is one line of mountinfo: proc_pid_mountinfo(5).
type mount struct{ root, point string }

// dir is where the mount shows a group. A group outside the mount's root, as
// seen in a container that has the host's cgroup namespace, is shown as the
// mount point itself.
func (m mount) dir(group string) string {
	rel, ok := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/"))
	if !ok || rel != "" && rel[0] != '/' || strings.Contains(group, "/..") {
		return m.point
	}
	return path.Join(m.point, rel)
}

// mountOf returns the mount of the wanted hierarchy that shows group; where
// several do, the one that shows the fewest others, and where none does, the
// first.
func mountOf(mountinfo, group string, v2 bool) (best mount, found bool) {
	shown := false
	for line := range strings.Lines(mountinfo) {
		f := strings.Fields(line)
		dash := slices.Index(f, "-")
		if dash < 6 || len(f) < dash+4 {
			continue
		}
		kind, options := f[dash+1], strings.Split(f[dash+3], ",")
		if v2 && kind != "cgroup2" || !v2 && (kind != "cgroup" || !slices.Contains(options, "memory")) {
			continue
		}
		m := mount{unescape(f[3]), path.Clean(unescape(f[4]))}
		shows := group == m.root || strings.HasPrefix(group, strings.TrimSuffix(m.root, "/")+"/")
		if !found || shows && (!shown || len(m.root) > len(best.root)) {
			best, found, shown = m, true, shows
		}
	}
	return best, found
}

// unescape undoes the octal escapes of mountinfo (\040 for a space).
func unescape(s string) string {
	for i := 0; i+3 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
			s = s[:i] + string([]byte{byte(n)}) + s[i+4:]
		}
	}
	return s
}

// openLevels opens the directories that have a limit file.
func openLevels(root fs.FS, dirs []controllerDir) (levels []*level) {
	var buf [64]byte
	for _, d := range dirs {
		l := newLevel(root, d)
		if _, err := l.limits[0].read(buf[:]); err != nil {
			continue
		}
		levels = append(levels, l)
	}
	return levels
}
