package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

func TestOutcome(t *testing.T) {
	for _, tt := range []struct {
		args    []string
		failure string
		last    string // in LastOutput
	}{
		{[]string{"nothing"}, "", ""},
		{[]string{"exit", "3"}, "exit status 3", "last words"},
		{[]string{"panic"}, "exit status 2", "panic: out of ideas"},
	} {
		t.Run(tt.args[0], func(t *testing.T) {
			out := mustRun(t, Command{Path: processtest.Target(t), Args: tt.args})
			if out.Failure != tt.failure {
				t.Errorf("failure %q, want %q", out.Failure, tt.failure)
			}
			if !strings.Contains(out.LastOutput, tt.last) {
				t.Errorf("last output lacks %q:\n%s", tt.last, out.LastOutput)
			}
			if out.Wall <= 0 || out.Started.IsZero() {
				t.Errorf("started %v, took %v", out.Started, out.Wall)
			}
		})
	}
}

func TestOutputIsBounded(t *testing.T) {
	const mib = 100
	out := mustRun(t, Command{Path: processtest.Target(t), Args: []string{"print", "100"}, StdoutLimit: 1 << 20})
	if len(out.Stdout) != 1<<20 || out.Dropped != (mib-1)<<20 {
		t.Errorf("kept %d bytes and dropped %d, of %d", len(out.Stdout), out.Dropped, mib<<20)
	}
}

func TestTimeout(t *testing.T) {
	for _, how := range []string{"hang", "stubborn"} {
		out := mustRun(t, Command{
			Path: processtest.Target(t), Args: []string{how},
			Timeout: 300 * time.Millisecond, Grace: 50 * time.Millisecond,
		})
		if !out.TimedOut || out.Failure != "timed out after 300ms" || out.OOMKilled {
			t.Errorf("%s: %+v", how, out)
		}
		if out.LastOutput != "hanging" {
			t.Errorf("%s: last output %q", how, out.LastOutput)
		}
	}
}

func TestCancel(t *testing.T) {
	why := errors.New("changed my mind")
	ctx, cancel := context.WithCancelCause(context.Background())
	first := writerFunc(func() { cancel(why) })
	out, err := Run(ctx, Command{
		Path: "sh", Args: []string{"-c", "echo up >&2; exec \"$0\" hang", processtest.Target(t)}, Stderr: first,
	})
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no sh")
	}
	if !errors.Is(err, why) || out.Failure != "interrupted" || out.LastOutput != "up" {
		t.Errorf("error %v, outcome %+v", err, out)
	}

	if _, err := Run(ctx, Command{Path: processtest.Target(t), Args: []string{"nothing"}}); !errors.Is(err, why) {
		t.Errorf("started under a context that has ended: %v", err)
	}
}

type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) { f(); return len(p), nil }

func TestCannotStart(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text.exe")
	if err := os.WriteFile(text, []byte("no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		cmd  Command
		want string
	}{
		{"absent", Command{Path: "./no-such-program"}, "give the path"},
		{"not in PATH", Command{Path: "no-such-program"}, "give the path"},
		{"directory", Command{Path: t.TempDir()}, t.TempDir()[:5]},
		{"no program", Command{Path: text}, text},
		{"no directory", Command{Path: processtest.Target(t), Dir: text + "/x"}, "directory"},
		{"NUL", Command{Path: processtest.Target(t), Args: []string{"a\x00b"}}, "NUL"},
	} {
		out, err := Run(context.Background(), tt.cmd)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, outcome %+v", tt.name, err, out)
		}
	}
}

func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	out := mustRun(t, Command{
		Path: processtest.Target(t), Args: []string{"env"}, Dir: dir,
		Env: []string{"GODEBUG=gctrace=1", "A=1", "A=2", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")},
	})
	got := string(out.Stdout)
	for _, want := range []string{"GODEBUG=gctrace=1\n", "A=2\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the target did not see %q:\n%s", want, got)
		}
	}
	for _, not := range []string{"A=1", "PATH="} {
		if strings.Contains(got, not) {
			t.Errorf("the target saw %q:\n%s", not, got)
		}
	}
}
