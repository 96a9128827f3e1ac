// Package subprocess starts the go command, git and other tools.
//
// The stance: the context ends the wait, whatever the tool has started. Programs that are
// measured are started by internal/probe.
package subprocess

import (
	"context"
	"os/exec"
	"time"
)

// Command returns a command that runs in a folder, "" for the current one. When the context
// ends, the command is killed, and at most two seconds later it is no longer waited for:
// compilers and hooks that it has started hold the pipes open.
func Command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = 2 * time.Second
	return cmd
}
