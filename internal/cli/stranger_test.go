package cli

import (
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// covers reports whether a term of SECURITY.md means this path or address.
type covers func(string) bool

// A stranger is a module that somebody else wrote, with a git repository whose
// configuration starts programs, and a live service.
type stranger struct {
	dir, binary, service    string
	env                     []string
	places, programs, peers map[string]covers
}

func newStranger(t *testing.T) *stranger {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &stranger{dir: root + "/module", binary: root + "/heapwright.exe"}
	files, err := txtar.ParseFile("testdata/stranger.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files.Files, txtar.File{Name: "../tmp/.keep"}, txtar.File{Name: "../own/.keep"}) {
		file := filepath.Join(m.dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	goroot, gocache, gomodcache := m.output(t, "go", "env", "GOROOT"), m.output(t, "go", "env", "GOCACHE"), m.output(t, "go", "env", "GOMODCACHE")
	m.env = append(os.Environ(), "HOME="+root+"/own", "XDG_CACHE_HOME="+root+"/own/cache", "XDG_CONFIG_HOME=", "TMPDIR="+root+"/tmp",
		"GOCACHE="+gocache, "GOMODCACHE="+gomodcache, "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	m.output(t, "go", "-C", filepath.Dir(filepath.Dir(here)), "build", "-o", m.binary, "./cmd/heapwright")
	m.output(t, "cp", here+"/../trace/testdata/storm.trace", ".")
	m.output(t, "go", "test", "-vet=off", "-run=^$", "-bench=.", "-benchtime=100x", "-memprofile=heap.pb.gz", "-memprofilerate=1", "-o", root+"/module.test")
	m.output(t, "go", "build", "-o", "once.exe", "./once")
	m.output(t, "git", "init", "-q")
	m.output(t, "git", "add", "-A")
	m.output(t, "git", "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qm", "one")
	m.output(t, "cp", "-r", "_later/.", ".")

	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	service := httptest.NewServer(mux)
	t.Cleanup(service.Close)
	m.service = service.URL

	caches, temporary := below(gocache, gomodcache, root+"/own/cache", root+"/own/.config/go/telemetry"), below(root+"/tmp")
	m.places = map[string]covers{
		"":                  matching(`^/dev/(null|tty)$|^/proc/(self|\d+)/`),
		"`heapwright.toml`": saved(m.dir + "/heapwright.toml"),
		"the output folder": below(m.dir + "/heapwright-out"),
		"the output file":   either(saved(m.dir+"/flame.html"), saved(m.dir+"/heapwright-baseline.json")),
		"source files":      saved(m.dir + "/stranger.go"),
		"caches":            caches,
		"temporary files":   temporary,
		"`.git`":            below(m.dir + "/.git"),
		"cgroups":           matching(`^/sys/fs/cgroup/.*/heapwright-`),
	}
	m.programs = map[string]covers{
		"":                 matching("^" + regexp.QuoteMeta(m.binary) + "$"),
		"the Go toolchain": either(below(goroot), matching(`/(go|gcc|cc|cc1|as|collect2|ld[a-z.]*)$`)), // the linker asks for gcc
		"git":              matching(`/git$|/git-core/`),
		"the target":       either(caches, temporary),
		"COMMAND":          matching("^" + regexp.QuoteMeta(m.dir+"/once.exe") + "$"),
		"PROGRAM":          either(matching("^"+regexp.QuoteMeta(m.dir+"/once.exe")+"$"), temporary),
	}
	m.peers = map[string]covers{"URL": matching(`^127\.0\.0\.1$`)}
	return m
}

// output returns the output of a command that runs in the module's folder.
func (m *stranger) output(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = m.dir, m.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// setTraps has git start programs of the repository's choice, as the configuration of
// an unpacked archive does, or no longer.
func (m *stranger) setTraps(t *testing.T, on bool) {
	t.Helper()
	for key, value := range map[string]string{"core.fsmonitor": "env false", "filter.trap.clean": "env cat", "core.sshCommand": "env false"} {
		if !on {
			value = ""
		}
		m.output(t, "git", "config", key, value)
	}
}

// heapwright runs a command line in the module's folder and returns its effects.
func (m *stranger) heapwright(t *testing.T, u use) effects {
	t.Helper()
	args := strings.Fields(strings.ReplaceAll(u.args, "SERVICE", m.service))
	if len(args) == 0 {
		args = []string{u.form}
	}
	cmd := exec.Command(m.binary, args...)
	cmd.Dir, cmd.Env = m.dir, m.env
	return traced(t, cmd, u.code, u.talk)
}

func matching(pattern string) covers { return regexp.MustCompile(pattern).MatchString }

func either(all ...covers) covers {
	return func(path string) bool { return slices.ContainsFunc(all, func(c covers) bool { return c(path) }) }
}

func below(folders ...string) covers {
	return func(path string) bool {
		return slices.ContainsFunc(folders, func(f string) bool { return path == f || strings.HasPrefix(path, f+"/") })
	}
}

// saved covers a file, and those in its folder that become it.
func saved(file string) covers {
	return func(path string) bool {
		return path == file || filepath.Dir(path) == filepath.Dir(file) && (strings.HasPrefix(path, file+".") && strings.HasSuffix(path, ".part") || strings.HasPrefix(filepath.Base(path), ".heapwright-"))
	}
}
