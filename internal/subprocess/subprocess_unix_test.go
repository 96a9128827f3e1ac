//go:build unix

package subprocess

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A child that lives on and holds the pipe does not keep a command whose context has
// ended from returning.
func TestChildHoldsThePipe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := Command{Name: "sh", Args: []string{"-c", "sleep 1000 & echo $!; wait"}}.start(ctx)
	in, out := io.Pipe()
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(child, syscall.SIGKILL)
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("a command that was killed has succeeded")
	}
	if err := syscall.Kill(child, 0); err != nil {
		t.Errorf("the child has ended (%v), so it held nothing", err)
	}
}
