package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/goerror"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// goCommand runs the go command and returns its output.
func goCommand(ctx context.Context, o Options, dir string, args ...string) (out, errs []byte, err error) {
	cmd := subprocess.Command(ctx, dir, "go", args...)
	cmd.Env = o.Env
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
