// Package program starts and ends the programs of bench, and runs heapwright, the
// go command and the other processes that they measure.
//
// The stance: an interrupt ends a process as Ctrl-C does, so that it can keep what
// it has. An error has the command and its output.
package program

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Main parses the flags and runs a program until an interrupt. An error ends it with
// status 1.
func Main(run func(ctx context.Context) error) {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"), err)
		os.Exit(1)
	}
}

// InScratch returns a function for Main that runs a program with a folder for
// builds, which is removed at the end.
func InScratch(run func(ctx context.Context, dir string) error) func(context.Context) error {
	return func(ctx context.Context) error {
		dir, err := os.MkdirTemp("", "heapwright-bench")
		if err != nil {
			return err
		}
		return errors.Join(run(ctx, dir), os.RemoveAll(dir))
	}
}

// Sleep waits, unless the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// In is where a command runs: a folder, and variables that are added to the environment.
type In struct {
	Dir string
	Env []string
}

// Outside is a folder whose go.work, and those above it, do not count.
func Outside(dir string) In { return In{dir, []string{"GOWORK=off"}} }

// With adds variables.
func (in In) With(env ...string) In { return In{in.Dir, slices.Concat(in.Env, env)} }

// Command prepares a command, which shares standard error with this program.
func (in In) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stderr = in.Dir, append(os.Environ(), in.Env...), os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// Run runs a command to its end.
func (in In) Run(ctx context.Context, args ...string) error {
	cmd := in.Command(ctx, args...)
	cmd.Stderr = nil
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// Output returns the standard output of a command, also where it fails. The statuses ok
// are answers, as 0 is.
func (in In) Output(ctx context.Context, ok []int, args ...string) ([]byte, error) {
	cmd := in.Command(ctx, args...)
	cmd.Stderr = nil
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case err == nil || errors.As(err, &exit) && slices.Contains(ok, exit.ExitCode()):
		return out, nil
	case exit != nil:
		return out, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return out, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
}

// Line returns the standard output of a command without the space around it.
func (in In) Line(ctx context.Context, args ...string) (string, error) {
	out, err := in.Output(ctx, nil, args...)
	return strings.TrimSpace(string(out)), err
}

// OutputJSON reads the JSON that a command prints. The statuses ok are answers, as 0 is.
func OutputJSON[T any](ctx context.Context, in In, ok []int, args ...string) (value T, err error) {
	out, err := in.Output(ctx, ok, args...)
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(out, &value); err != nil {
		return value, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return value, nil
}

// InGroup returns a command that enters a control group, by the file of its processes, before
// it becomes another command. So all memory of that is charged to the group.
func InGroup(processes string, args ...string) []string {
	return append([]string{"sh", "-c", `echo $$ > "$0"; exec "$@"`, processes}, args...)
}

// Build builds a package as a file. The flags of go build go before the package.
func (in In) Build(ctx context.Context, file string, args ...string) error {
	return in.Run(ctx, slices.Concat([]string{"go", "build", "-o", file}, args)...)
}

// Heapwright returns a file of heapwright: the one that a flag names, or else one that it
// builds in a folder.
func Heapwright(ctx context.Context, named, dir string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	file, err := filepath.Abs(filepath.Join(dir, "heapwright.exe"))
	if err != nil {
		return "", err
	}
	return file, In{}.Build(ctx, file, "github.com/heapwright/heapwright/cmd/heapwright")
}

// WriteJSON writes a file for ReadJSON, and makes its folder.
func WriteJSON(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, text, 0o666))
}

// ReadJSON reads a file that a process, or WriteJSON, has left.
func ReadJSON[T any](file string) (value T, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(text, &value); err != nil {
		return value, fmt.Errorf("%s: %w", file, err)
	}
	return value, nil
}
