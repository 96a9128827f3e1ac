// Heapwright finds changes that make a Go program spend less CPU time and memory on
// allocation and garbage collection, and measures their gain. Run heapwright -h for
// the list of commands.
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
