// Heapwright says which memory configuration of a Go program is really
// cheaper, and proves it. See the README, or run it with -h.
package main

import (
	"context"
	"os"

	"github.com/heapwright/heapwright/internal/cli"
)

func main() {
	ctx, cancel := cli.Interruptible(context.Background())
	defer cancel()
	os.Exit(cli.Main(ctx, cli.Env{Stdout: os.Stdout, Stderr: os.Stderr}, os.Args[1:]))
}
