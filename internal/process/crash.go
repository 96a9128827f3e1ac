package process

import (
	"bytes"
	"strings"
)

// reasons begin the lines in which the Go runtime says why it gives up, and packages
// for flags say why they refuse the arguments.
var reasons = [][]byte{
	[]byte("panic: "), []byte("fatal error: "), []byte("runtime: out of memory"), []byte("SIG"),
	[]byte("flag provided but not defined"), []byte("Incorrect Usage: "), []byte("Error: unknown "),
}

// crash keeps the first line that says why a program gives up. The stacks of all
// goroutines, or the list of flags, follow it and push it out of the last lines.
type crash struct{ reason string }

func (c *crash) line(line []byte) {
	for _, r := range reasons {
		if c.reason == "" && bytes.HasPrefix(line, r) {
			c.reason = string(line)
		}
	}
}

// before puts the reason before the last lines, if it is not among them.
func (c *crash) before(last string) string {
	if c.reason == "" || strings.Contains(last, c.reason) {
		return last
	}
	return c.reason + "\n…\n" + last
}
