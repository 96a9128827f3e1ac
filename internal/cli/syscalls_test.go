package cli

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// effects are the changes that a process and its descendants made outside their memory.
type effects struct {
	writes   []string // absolute paths of files and folders made, changed, renamed or removed
	starts   []string // absolute paths of programs
	connects []string // IP addresses
}

// pathCalls are the system calls that change the files that their arguments name.
var pathCalls = []string{"creat", "mkdir", "mkdirat", "mknod", "mknodat", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat",
	"unlink", "unlinkat", "rmdir", "truncate", "chmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchownat", "utimensat", "setxattr", "lsetxattr"}

// traced runs a command, which ends with an exit code, under strace, and returns its
// effects. Only the kernel knows all of them: the go command, compilers and tests have
// effects too. talk runs it if it takes input; else nil.
func traced(t *testing.T, cmd *exec.Cmd, code int, talk func(*exec.Cmd) ([]byte, error)) effects {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no strace on this machine, which lists the effects of commands")
	}
	folder := t.TempDir()
	calls := append([]string{"execve", "execveat", "open", "openat", "openat2", "connect", "chdir"}, pathCalls...)
	args := []string{"strace", "-ff", "-y", "-qq", "-s", "4096", "--seccomp-bpf", "-o", filepath.Join(folder, "calls"), "-e", "trace=?" + strings.Join(calls, ",?"), cmd.Path} // ?: if this machine has it
	cmd.Path, cmd.Args = strace, append(args, cmd.Args[1:]...)
	if talk == nil {
		talk = (*exec.Cmd).CombinedOutput
	}
	out, err := talk(cmd)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Errorf("%q: %v\n%s", cmd.Args[len(args):], err, out)
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		t.Fatalf("%q: %v, want exit code %d\n%s", cmd.Args[len(args):], err, code, out)
	}
	files, err := filepath.Glob(filepath.Join(folder, "calls.*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("strace recorded no process: %v", err)
	}
	var e effects
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		e.read(t, f, cmd.Dir)
		f.Close()
	}
	for _, list := range []*[]string{&e.writes, &e.starts, &e.connects} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return e
}

var (
	// callLine is one finished system call: name, arguments, result, and the path
	// of the descriptor that it returned.
	callLine = regexp.MustCompile(`^(\w+)\((.*)\) += (-?\d+|\?)(?:<(.*)>)?`)
	// callPath is a path among the arguments, after the folder that it is relative to.
	callPath   = regexp.MustCompile(`(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"`)
	callWrites = regexp.MustCompile(`O_(WRONLY|RDWR|CREAT|TRUNC)`)
	address    = regexp.MustCompile(`inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"`)
)

// read adds the system calls of one thread, which started in the folder cwd.
func (e *effects) read(t *testing.T, calls *os.File, cwd string) {
	lines := bufio.NewScanner(calls)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		m := callLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue // a signal, or a call that the end of the process cut off
		}
		name, args, result, opened := m[1], m[2], m[3], m[4]
		if name == "connect" { // even if it failed
			if m := address.FindStringSubmatch(args); m != nil {
				e.connects = append(e.connects, m[1]+m[2])
			}
			continue
		}
		if strings.HasPrefix(result, "-") || result == "?" {
			continue
		}
		var paths []string
		for _, m := range callPath.FindAllStringSubmatch(args, -1) {
			if m[1] != "" {
				cwd = m[1]
			}
			path, err := strconv.Unquote(`"` + m[2] + `"`)
			if err != nil {
				path = m[2]
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(cwd, path)
			}
			paths = append(paths, path)
		}
		switch {
		case len(paths) == 0:
			t.Fatalf("no path in the system call %s", lines.Text())
		case name == "chdir":
			cwd = paths[0]
		case strings.HasPrefix(name, "exec"):
			e.starts = append(e.starts, paths[0])
		case strings.HasPrefix(name, "open"):
			if callWrites.MatchString(args) {
				e.writes = append(e.writes, strings.TrimSuffix(opened, " (deleted)"))
			}
		case strings.HasPrefix(name, "symlink"):
			e.writes = append(e.writes, paths[1]) // the first is text
		case slices.Contains(pathCalls, name):
			e.writes = append(e.writes, paths...)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// The effects of a command whose effects are known.
func TestTraced(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", `mkdir made; cd made; echo x >written; mv written renamed; ln -s /target link; rm link; env true; cat renamed >/dev/null`)
	cmd.Dir = dir
	e := traced(t, cmd, 0, nil)
	want := []string{"/dev/null", dir + "/made", dir + "/made/link", dir + "/made/renamed", dir + "/made/written"}
	if !slices.Equal(e.writes, want) {
		t.Errorf("it wrote %q, want %q", e.writes, want)
	}
	for _, program := range []string{"sh", "mkdir", "mv", "ln", "rm", "true", "cat"} {
		if !slices.ContainsFunc(e.starts, func(path string) bool { return filepath.Base(path) == program }) {
			t.Errorf("it started %q, not %s", e.starts, program)
		}
	}
}
