// Package published tests the modules as their users get them: from a module
// proxy, here one made of the files of the checkout.
package published

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// published are the folders of the modules that others require or install.
var published = []string{".", "arena", "arena/arenagrpc", "arena/arenajson", "arena/arenapb", "gctune", "gctune/gctuneotel", "gctune/gctuneprom"}

const (
	module  = "github.com/heapwright/heapwright"
	release = "v0.1.0"
	root    = "../.."
)

// modulePath returns the path of the module in a folder.
func modulePath(dir string) string {
	if dir == "." {
		return module
	}
	return module + "/" + dir
}

// user is somebody with a go command, a module cache of the test's own and a
// proxy that has the published modules. All else comes from where this machine
// gets it.
type user struct {
	dir string
	env []string
}

var proxy = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "heapwright-proxy-")
	for _, m := range published {
		if err == nil {
			err = publish(filepath.Join(dir, modulePath(m), "@v"), modulePath(m)+"@"+release, filepath.Join(root, m))
		}
	}
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := proxy(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// publish writes the files that a proxy has of a module in a folder: the list of
// its versions, and three of the one.
func publish(versions, prefix, dir string) error {
	if err := os.MkdirAll(versions, 0o700); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"list": release + "\n", release + ".mod": string(mod), release + ".info": fmt.Sprintf(`{"Version":%q}`, release),
	} {
		if err := os.WriteFile(filepath.Join(versions, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	file, err := os.Create(filepath.Join(versions, release+".zip"))
	if err != nil {
		return err
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			if err == nil || d.Name() == ".git" || d.Name() == "heapwright-out" {
				return fs.SkipDir // a module of its own is no part of the one around it
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		w, err := archive.Create(prefix + "/" + filepath.ToSlash(inside))
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return archive.Close()
}

// newUser returns one with an empty folder.
func newUser(t *testing.T) *user {
	t.Helper()
	if testing.Short() {
		t.Skip("fetches and builds modules")
	}
	files, err := proxy()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(out))
	u := &user{dir: t.TempDir()}
	// With -trimpath, the build cache keeps packages whichever folder they came from.
	u.env = append(os.Environ(), "GOWORK=off", "GOMODCACHE="+filepath.Join(files, "cache"), "GONOSUMDB="+module,
		"GOFLAGS=-mod=mod -modcacherw -trimpath", "GOBIN="+filepath.Join(u.dir, "bin"),
		"GOPROXY=file://"+filepath.ToSlash(files)+",file://"+filepath.ToSlash(known[0])+"/cache/download,"+known[1])
	return u
}

func (u *user) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = u.dir, u.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// imports makes the user's program one that imports packages, and returns the
// lines of its go.mod and go.sum.
func (u *user) imports(t *testing.T, packages ...string) (mod, sum []string) {
	t.Helper()
	text := "package main\n"
	for _, p := range packages {
		text += fmt.Sprintf("\nimport _ %q\n", p)
	}
	u.write(t, "main.go", text+"\nfunc main() {}\n")
	u.run(t, "go", "mod", "tidy")
	return u.lines(t, "go.mod"), u.lines(t, "go.sum")
}

func (u *user) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(u.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// lines returns a file's lines without layout: keywords that open a block, and
// comments are left out, as a block of indirect requirements may be new.
func (u *user) lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(u.dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "require"))
		if line != "" && line != "(" && line != ")" {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

// TestLibrariesAddThemselvesAlone lets users of the libraries, and of the packages
// that the libraries integrate with, import them.
func TestLibrariesAddThemselvesAlone(t *testing.T) {
	const arena, gctune = module + "/arena", module + "/gctune"
	for _, c := range []struct {
		name, requires string   // of the user's go.mod
		uses, imports  []string // before, and of ours
		adds           []string // modules of ours
	}{
		{"arena", "", nil, []string{arena, arena + "/arenahttp"}, []string{arena}},
		{"gctune", "", nil, []string{gctune, gctune + "/auto", gctune + "/gctuneexpvar"}, []string{gctune}},
		{"arena beside an old grpc", "google.golang.org/grpc v1.72.0", []string{"google.golang.org/grpc"}, []string{arena}, []string{arena}},
		{"arenagrpc", "google.golang.org/grpc v1.85.0", []string{"google.golang.org/grpc"}, []string{arena + "/arenagrpc"}, []string{arena, arena + "/arenagrpc", arena + "/arenapb"}},
		{"arenajson", "", nil, []string{arena + "/arenajson"}, []string{arena, arena + "/arenajson"}},
		{"arenapb", "google.golang.org/protobuf v1.36.12", []string{"google.golang.org/protobuf/proto"}, []string{arena + "/arenapb"}, []string{arena, arena + "/arenapb"}},
		{"gctuneprom", "github.com/prometheus/client_golang v1.25.0", []string{"github.com/prometheus/client_golang/prometheus"}, []string{gctune + "/gctuneprom"}, []string{gctune, gctune + "/gctuneprom"}},
		{"gctuneotel", "go.opentelemetry.io/otel/metric v1.47.0", []string{"go.opentelemetry.io/otel/metric"}, []string{gctune + "/gctuneotel"}, []string{gctune, gctune + "/gctuneotel"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			text := "module example.org/consumer\n\ngo 1.26.0\n"
			if c.requires != "" {
				text += "\nrequire " + c.requires + "\n"
			}
			u.write(t, "go.mod", text)
			mod, sum := u.imports(t, c.uses...)
			newMod, newSum := u.imports(t, append(c.uses, c.imports...)...)
			for _, m := range c.adds {
				line := m + " " + release
				if !slices.Contains(c.imports, m) {
					line += " // indirect"
				}
				mod = append(mod, line)
			}
			slices.Sort(mod)
			if c.requires == "" {
				u.run(t, "go", "build", "-o", os.DevNull, ".")
			}
			if !slices.Equal(newMod, mod) {
				t.Errorf("go.mod:\n%s\nwant\n%s", strings.Join(newMod, "\n"), strings.Join(mod, "\n"))
			}
			for _, line := range newSum {
				name, _, _ := strings.Cut(line, " ")
				if !slices.Contains(c.adds, name) && !slices.Contains(sum, line) {
					t.Errorf("go.sum gains %s", line)
				}
			}
			if got, want := len(newSum), len(sum)+2*len(c.adds); got != want {
				t.Errorf("go.sum has %d lines, want %d: those of before and two for each of %v", got, want, c.adds)
			}
		})
	}
}

// TestInstall installs the command outside the checkout, for which all that it consists of
// is compiled again.
func TestInstall(t *testing.T) {
	if os.Getenv("HEAPWRIGHT_THOROUGH") == "" {
		t.Skip("it takes minutes of CPU time with an empty build cache: HEAPWRIGHT_THOROUGH=1 runs it")
	}
	t.Parallel()
	u := newUser(t)
	u.run(t, "go", "install", module+"/cmd/heapwright@"+release)
	tool := filepath.Join(u.dir, "bin", "heapwright")
	if out := u.run(t, tool, "version"); !strings.Contains(out, release) {
		t.Errorf("heapwright version: %q, want %s in it", out, release)
	}
	u.write(t, "go.mod", "module example.org/consumer\n\ngo 1.26\n")
	if out := u.run(t, tool, "modes"); !strings.Contains(out, "floor") {
		t.Errorf("heapwright modes does not list floor:\n%s", out)
	}
}

// TestCommandIsComplete has the go command find all packages of the command, and the files
// that they embed, in what the proxy has.
func TestCommandIsComplete(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.write(t, "go.mod", "module example.org/consumer\n\ngo 1.26.0\n")
	u.run(t, "go", "get", "-tool", module+"/cmd/heapwright@"+release)
	out := u.run(t, "go", "list", "-deps", "-f", "{{.ImportPath}}", module+"/cmd/heapwright")
	if !slices.Contains(strings.Fields(out), module+"/internal/cli") {
		t.Errorf("no package of the command in\n%s", out)
	}
}
