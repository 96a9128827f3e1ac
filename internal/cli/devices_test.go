//go:build unix

package cli

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/heapwright/heapwright/internal/result"
)

// fileFlags are command lines that read FILE. A server that is never started and
// a service that is never asked stand behind them.
var fileFlags = map[string][]string{
	"-token-file":    {"collect", "-token-file", "FILE", "http://127.0.0.1:1"},
	"-password-file": {"diagnose", "-user", "me", "-password-file", "FILE", "http://127.0.0.1:1"},
	"-ca":            {"collect", "-ca", "FILE", "http://127.0.0.1:1"},
	"-cert":          {"collect", "-cert", "FILE", "-key", "FILE", "http://127.0.0.1:1"},
	"-modes-file":    {"compare", "-modes-file", "FILE", "."},
	"-limits":        {"gate", "-limits", "FILE", "-against", os.DevNull, "."},
	"-requests":      {"compare", "-load", "requests=FILE", "--", "true"},
	"-body":          {"compare", "-url", "http://127.0.0.1:1", "-load", "body=FILE", "--", "true"},
	"-headers":       {"compare", "-url", "http://127.0.0.1:1", "-load", "headers=FILE", "--", "true"},
	"-data":          {"compare", "-url", "http://127.0.0.1:1", "-load", "grpc=a.B/C,data=FILE", "--", "true"},
	"-proto":         {"compare", "-url", "http://127.0.0.1:1", "-load", "grpc=a.B/C,proto=FILE", "--", "true"},
	"-against":       {"gate", "-against", "FILE", "."},
	"report":         {"report", "FILE"},
}

// readsFile runs a command line on a file and wants it refused in one line
// within the memory that any input may take.
func readsFile(t *testing.T, args []string, file, says string) {
	t.Helper()
	args = strings.Split(strings.ReplaceAll(strings.Join(args, "\x00"), "FILE", file), "\x00")
	stderr, code, peak := runPeak(t, args...)
	if code == 0 || !strings.Contains(stderr, says) || strings.Count(stderr, "\n") > 2 {
		t.Errorf("%s: exit code %d: %s", args, code, stderr)
	}
	if peak > maxRSS {
		t.Errorf("%s: peak memory %d MiB", args, peak>>20)
	}
}

func TestFlagsRefuseDevices(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	for name, args := range fileFlags {
		t.Run(name, func(t *testing.T) { readsFile(t, args, "/dev/zero", "/dev/zero is a device") })
	}
	t.Run("a body of a list", func(t *testing.T) {
		list := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(list, []byte("POST http://127.0.0.1:1/\n@/dev/zero\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		readsFile(t, fileFlags["-requests"], list, "/dev/zero is a device")
	})
}

// Files of an earlier run are bounded like any other.
func TestResumeRefusesDevices(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	for file, command := range map[string]string{"report.json": "compare", "results.txt": "compare", "tune.json": "tune"} {
		t.Run(file, func(t *testing.T) {
			dir := t.TempDir()
			report := []byte(`{"schema": "` + result.Schema + `", "command": ["compare"]}`)
			if err := os.WriteFile(filepath.Join(dir, "report.json"), report, 0o600); err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(dir, file)
			os.Remove(name)
			if err := os.Symlink("/dev/zero", name); err != nil {
				t.Fatal(err)
			}
			readsFile(t, []string{command, "-resume", "-o", dir}, name, name+" is not a regular file")
		})
	}
}

// A pipe that never ends is read up to a limit.
func TestFlagsBoundPipes(t *testing.T) {
	for name, args := range fileFlags {
		t.Run(name, func(t *testing.T) {
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Skip(err)
			}
			f, err := os.OpenFile(pipe, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close() // ends the writer
			go func() {
				for zeros := make([]byte, 1<<16); err == nil; {
					_, err = f.Write(zeros)
				}
			}()
			readsFile(t, args, pipe, "larger than")
		})
	}
}

// Both signals end a command that waits for a pipe.
func TestSignalsEndPipes(t *testing.T) {
	commands := map[string][]string{"-config": {"compare", "-config", "FILE"}, "profile": {"flame", "FILE"}, "a body in heapwright.toml": {"compare"}}
	maps.Copy(commands, fileFlags)
	for name, args := range commands {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(name+" "+signal.String(), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				pipe := filepath.Join(dir, "pipe")
				if err := syscall.Mkfifo(pipe, 0o600); err != nil {
					t.Skip(err)
				}
				found := "[target]\nargs = [\"true\"]\n[server]\nurl = \"http://127.0.0.1:1\"\n[load]\nbody = \"pipe\"\n"
				if err := os.WriteFile(filepath.Join(dir, "heapwright.toml"), []byte(found), 0o600); err != nil {
					t.Fatal(err)
				}
				var stderr bytes.Buffer
				cmd := exec.Command("heapwright", strings.Split(strings.ReplaceAll(strings.Join(args, "\x00"), "FILE", pipe), "\x00")...)
				cmd.Dir, cmd.Stderr = dir, &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				f, err := os.OpenFile(pipe, os.O_WRONLY, 0) // when the command has opened it, too
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				cmd.Wait()
				if code := cmd.ProcessState.ExitCode(); code != exitFailed && code != exitUsage || !strings.Contains(stderr.String(), "context canceled") {
					t.Errorf("exit code %d: %s", code, stderr.String())
				}
			})
		}
	}
}

// A signal ends work that cannot look at the context, such as a write to a full pipe.
func TestSignalsEndFullPipes(t *testing.T) {
	dir := t.TempDir()
	doc := result.Document{Schema: result.Schema}
	for range 1 << 10 {
		doc.Warnings = append(doc.Warnings, strings.Repeat("long ", 40)) // more than a pipe holds
	}
	file := filepath.Join(dir, "report.json")
	if err := result.Save(file, &doc); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			var stderr bytes.Buffer
			cmd := exec.Command("heapwright", "report", file)
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 1)); err != nil { // the files are written, the table is not
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			cmd.Wait() // nobody reads on until then
			if code := cmd.ProcessState.ExitCode(); code != exitFailed || stderr.String() != "heapwright report: interrupted\n" {
				t.Errorf("exit code %d: %s", code, stderr.String())
			}
		})
	}
}
