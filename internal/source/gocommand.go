package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/goerror"
)

// goCommand runs the go command and returns its output.
func goCommand(ctx context.Context, o Options, dir string, args ...string) (out, errs []byte, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, o.Env
	// The compilers that it starts hold the pipes open when it is killed.
	cmd.WaitDelay = 2 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); said != "" {
			err = errors.New(said + goerror.Remedy(stderr.String()))
		}
		return nil, nil, fmt.Errorf("go %s in %s: %w", args[0], orHere(dir), err)
	}
	return stdout.Bytes(), stderr.Bytes(), nil
}
