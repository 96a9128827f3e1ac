// Package subprocess runs the go command, git and other tools.
//
// The stance: the context ends the wait, whatever the tool has started, and an error repeats
// the tool's own words with a remedy. Programs that are measured are started by
// internal/process.
package subprocess

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Command is one call of a tool.
type Command struct {
	// Dir is the folder that the tool runs in, "" for the current one.
	Dir string
	// Env has the tool's environment, nil for the one of this process.
	Env []string

	Name string
	Args []string
}

// Run runs the command to its end and returns its output, which is complete even if the
// command failed. The error is the context's if that has ended, or else an *Error.
func (c Command) Run(ctx context.Context) (stdout, stderr []byte, err error) {
	var out, errs bytes.Buffer
	cmd := c.start(ctx)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err = cmd.Run(); err != nil {
		err = newError(c, errs.String(), err)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), errs.Bytes(), err
}

// start returns the command before its start. When the context ends, the tool is killed, and
// two seconds later its output is closed: compilers and hooks that it has started may hold
// the pipes open.
func (c Command) start(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Name, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// Output runs a tool in a folder and returns its standard output. Errors are as from
// [Command.Run].
func Output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	out, _, err := Command{Dir: dir, Name: name, Args: args}.Run(ctx)
	return out, err
}

// Values decodes the values that go list -json and similar commands print one after the
// other.
func Values[T any](output []byte) (all []T, err error) {
	for dec := json.NewDecoder(bytes.NewReader(output)); ; {
		var v T
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading the answer of the go command: %w", err)
		}
		all = append(all, v)
	}
}
