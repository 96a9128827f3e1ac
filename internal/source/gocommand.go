package source

import (
	"context"
	"fmt"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// goCommand runs the go command and returns its output.
func goCommand(ctx context.Context, o Options, dir string, args ...string) (out, errs []byte, err error) {
	out, errs, err = subprocess.Command{Dir: dir, Env: o.Env, Name: "go", Args: args}.Run(ctx)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("in %s: %w", orHere(dir), err)
	}
	return out, errs, err
}
