//go:build unix

package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// tree makes files in a new folder, each with a folder of its own permissions.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The search ends at the root of the workspace, which GOWORK names or switches off, else at
// the root of the module.
func TestSearchEnds(t *testing.T) {
	for _, test := range []struct {
		name, gowork string
		files        []string
		want         []string // folders, from m/sub up
	}{
		{"module", "", []string{"m/go.mod"}, []string{"m/sub", "m"}},
		{"no module", "", nil, []string{"m/sub"}},
		{"workspace", "", []string{"go.work", "m/go.mod"}, []string{"m/sub", "m", "."}},
		{"auto", "auto", []string{"go.work", "m/go.mod"}, []string{"m/sub", "m", "."}},
		{"off", "off", []string{"go.work", "m/go.mod"}, []string{"m/sub", "m"}},
		{"named", "ROOT/other.work", []string{"m/go.mod", "other.work"}, []string{"m/sub", "m", "."}},
		{"named below another", "ROOT/m/go.work", []string{"go.work", "m/go.work", "m/sub/go.mod"}, []string{"m/sub", "m"}},
		{"named elsewhere", "ROOT/x/go.work", []string{"go.work", "x/go.work", "m/go.mod"}, []string{"m/sub", "m"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, append(test.files, "m/sub/x")...)
			t.Setenv("GOWORK", strings.ReplaceAll(test.gowork, "ROOT", root))
			got, err := project(filepath.Join(root, "m/sub"))
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				got[i], _ = filepath.Rel(root, got[i])
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// A file is found only if each folder from it up to the root is trusted.
func TestFoldersAreTrusted(t *testing.T) {
	t.Setenv("GOWORK", "")
	root := tree(t, "m/go.mod", "m/a/heapwright.toml", "m/a/b/x")
	dir := filepath.Join(root, "m/a/b")
	for _, test := range []struct {
		open  string // a folder that everybody can write
		found bool
	}{{"m/a/b", true}, {"m/a", false}, {"m", false}, {".", true}} {
		open := filepath.Join(root, test.open)
		if err := os.Chmod(open, 0o777); err != nil {
			t.Fatal(err)
		}
		file, err := Find(dir)
		if (err == nil && file != "") != test.found {
			t.Errorf("%s open: found %q, %v", test.open, file, err)
		}
		if err := os.Chmod(open, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// A link is refused even if its target is trusted.
func TestLinkIsRefused(t *testing.T) {
	t.Setenv("GOWORK", "")
	root := tree(t, "m/go.mod", "heapwright.toml")
	if err := os.Symlink("../heapwright.toml", filepath.Join(root, "m", Name)); err != nil {
		t.Fatal(err)
	}
	if file, err := Find(filepath.Join(root, "m")); err == nil || !strings.Contains(err.Error(), "-config") {
		t.Errorf("found %q, %v", file, err)
	}
}

// Neither a pipe nor a device is read as a go.mod, a go.work or the file that GOWORK names.
func TestCheckModule(t *testing.T) {
	for _, test := range []struct{ name, gowork string }{{"go.mod", ""}, {"go.work", ""}, {"x.work", "ROOT/x.work"}} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, "sub/x")
			t.Setenv("GOWORK", strings.ReplaceAll(test.gowork, "ROOT", root))
			name, dir := filepath.Join(root, test.name), filepath.Join(root, "sub")
			if err := CheckModule(dir); err != nil {
				t.Errorf("without %s: %v", test.name, err)
			}
			if err := syscall.Mkfifo(name, 0o644); err != nil {
				t.Skip(err)
			}
			if err := CheckModule(dir); err == nil || !strings.Contains(err.Error(), name+" is not a regular file") {
				t.Errorf("a pipe: %v", err)
			}
			os.Remove(name)
			if err := os.Symlink("/dev/zero", name); err != nil {
				t.Fatal(err)
			}
			if err := CheckModule(dir); err == nil {
				t.Error("a device is taken")
			}
			os.Remove(name)
			if err := os.Mkdir(name, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := CheckModule(dir); err != nil { // as for the go command
				t.Errorf("a folder: %v", err)
			}
		})
	}
}

// The go command writes go.sum and go.work.sum through a link. It may lead to another
// place of the project, not out of it.
func TestCheckModuleLinks(t *testing.T) {
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum", "m/go.mod", "m/go.sum"} {
		for target, good := range map[string]bool{"real": true, "missing": true, "../outside": false, "../../outside": false, "../../missing": false, "/dev/null": false} {
			root := filepath.Join(tree(t, "outside", "p/go.work", "p/m/go.mod", "p/m/sub/x", "p/real", "p/m/real"), "p")
			t.Setenv("GOWORK", "")
			file := filepath.Join(root, name)
			os.Remove(file)
			if name == "m/go.mod" || name == "m/go.sum" {
				good = good || target == "../outside" // which is in the workspace, and missing
			}
			if err := os.Symlink(target, file); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(file); err != nil && name == "go.work" {
				continue // without a go.work, the module is the project
			}
			if err := CheckModule(filepath.Join(root, "m", "sub")); (err == nil) != good {
				t.Errorf("%s -> %s: %v", name, target, err)
			} else if !good && (!strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "replace")) {
				t.Errorf("%s -> %s: the error names no file or no remedy: %v", name, target, err)
			}
		}
	}
	root := tree(t, "m/go.mod", "w/x.work")
	t.Setenv("GOWORK", filepath.Join(root, "w", "x.work"))
	if err := os.Symlink("../outside", filepath.Join(root, "w", "x.work.sum")); err != nil {
		t.Fatal(err)
	}
	if err := CheckModule(filepath.Join(root, "m")); err == nil || !strings.Contains(err.Error(), "x.work.sum") {
		t.Errorf("the sums of GOWORK: %v", err)
	}
}

// The go command reads vendor/modules.txt to its end.
func TestCheckModuleVendor(t *testing.T) {
	t.Setenv("GOWORK", "")
	root := tree(t, "go.mod", "sub/x", "vendor/x")
	name := filepath.Join(root, "vendor", "modules.txt")
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Skip(err)
	}
	if err := CheckModule(filepath.Join(root, "sub")); err == nil || !strings.Contains(err.Error(), name+" is not a regular file") {
		t.Error(err)
	}
}
