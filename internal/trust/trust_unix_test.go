//go:build unix

package trust

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestCheck(t *testing.T) {
	const nobody = 65534
	root := os.Geteuid() == 0
	tests := []struct {
		name    string
		root    bool // only root can set it up
		prepare func(file, dir string) error
		want    string // in the error; "" is none
	}{
		{"own", false, func(file, dir string) error { return nil }, ""},
		{"missing", false, func(file, dir string) error { return os.Remove(file) }, "no such file"},
		{"file for everybody", false, func(file, dir string) error { return os.Chmod(file, 0o602) }, "file can be written by every user"},
		{"folder for everybody", false, func(file, dir string) error { return os.Chmod(dir, 0o777|os.ModeSticky) }, "dir can be written by every user"},
		{"file of another user", true, func(file, dir string) error { return os.Chown(file, nobody, 0) }, "file belongs to user 65534"},
		{"folder of another user", true, func(file, dir string) error { return os.Chown(dir, nobody, 0) }, "dir belongs to user 65534"},
		{"file of another group", true, func(file, dir string) error { return writable(file, nobody) }, "file can be written by group 65534"},
		{"folder of another group", true, func(file, dir string) error { return writable(dir, nobody) }, "dir can be written by group 65534"},
		{"other group without permission", true, func(file, dir string) error { return os.Chown(file, 0, nobody) }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.root && !root {
				t.Skip("only root can give files away")
			}
			dir := filepath.Join(t.TempDir(), "dir")
			file := filepath.Join(dir, "file")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := test.prepare(file, dir); err != nil {
				t.Fatal(err)
			}
			err := Check(file, dir)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

func writable(name string, group int) error {
	if err := os.Chown(name, 0, group); err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return os.Chmod(name, info.Mode()|0o020)
}

func TestOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{link, pipe, dir} {
		if err := Check(name); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A folder that a link leads to is checked as well as the link.
func TestLinkedFolder(t *testing.T) {
	dir := t.TempDir()
	open, link := filepath.Join(dir, "open"), filepath.Join(dir, "link")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(open, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("open", link); err != nil {
		t.Fatal(err)
	}
	if err := Check(filepath.Join(link, "file"), link); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Check(filepath.Join(link, "file"), link); err == nil {
		t.Error("a folder that everybody can write is trusted by way of a link")
	}
}

// Files of the user who called sudo are the caller's own, as in git.
func TestSudo(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("sudo makes its caller root")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(file, 1234, 1234); err != nil {
		t.Fatal(err)
	}
	for id, trusted := range map[string]bool{"": false, "1234": true, "1235": false, "1234x": false} {
		t.Setenv("SUDO_UID", id)
		if err := Check(file); (err == nil) != trusted {
			t.Errorf("SUDO_UID=%q: %v", id, err)
		}
	}
}

// A group that has the name of a user and no other members is that user's own.
func TestPrivateGroup(t *testing.T) {
	if uid := uint32(os.Geteuid()); private(uid, 1<<31-3) {
		t.Error("a group that nobody knows is private")
	}
	if private(1<<31-3, 0) {
		t.Error("the group of a user that nobody knows is private")
	}
	if g, err := user.LookupGroup("root"); err == nil { // not on BSD and macOS
		want := alone("/etc/group", "/etc/passwd", "root", g.Gid)
		if gid, _ := strconv.Atoi(g.Gid); private(0, uint32(gid)) != want {
			t.Errorf("root's group is private: %t, want %t", !want, want)
		}
	}
	if g, err := user.LookupGroup("wheel"); err == nil {
		if gid, _ := strconv.Atoi(g.Gid); private(0, uint32(gid)) {
			t.Error("the group of administrators is private")
		}
	}
}

func TestCheckFolder(t *testing.T) {
	const nobody = 65534
	for _, test := range []struct {
		name    string
		root    bool // only root can set it up
		prepare func(place, dir string) error
		want    string // in the error; "" is none
	}{
		{"own", false, func(place, dir string) error { return nil }, ""},
		{"link", false, func(place, dir string) error {
			if err := os.Rename(dir, dir+"2"); err != nil {
				return err
			}
			return os.Symlink("dir2", dir)
		}, "dir is a link or no folder"},
		{"missing", false, func(place, dir string) error { return os.Remove(dir) }, "no such file"},
		{"for everybody", false, func(place, dir string) error { return os.Chmod(dir, 0o777) }, "dir can be written by every user"},
		{"of another user", true, func(place, dir string) error { return os.Chown(dir, nobody, 0) }, "dir belongs to user 65534"},
		{"in a place for everybody", false, func(place, dir string) error { return os.Chmod(place, 0o777) }, "place can be written by every user"},
		{"in a sticky place", false, func(place, dir string) error { return os.Chmod(place, 0o777|os.ModeSticky) }, ""},
		{"in another user's place", true, func(place, dir string) error { return os.Chown(place, nobody, 0) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.root && os.Geteuid() != 0 {
				t.Skip("only root can give files away")
			}
			place := filepath.Join(t.TempDir(), "place")
			dir := filepath.Join(place, "dir")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := test.prepare(place, dir); err != nil {
				t.Fatal(err)
			}
			err := CheckFolder(dir)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}
