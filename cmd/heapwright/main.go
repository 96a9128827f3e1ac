// Heapwright says which memory configuration of a Go program is really
// cheaper, and proves it. See the README, or run it with -h.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/heapwright/heapwright/internal/cli"
	"github.com/heapwright/heapwright/internal/probe"
)

func main() {
	probe.Shim() // does not return in a process that only starts a target

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the process at once
	}()
	os.Exit(cli.Main(ctx, cli.Env{Stdout: os.Stdout, Stderr: os.Stderr}, os.Args[1:]))
}
