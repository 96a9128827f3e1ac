package probe

import (
	"bytes"
	"strings"
)

// reasons are how the Go runtime begins to tell why it gives up.
var reasons = [][]byte{
	[]byte("panic: "), []byte("fatal error: "), []byte("runtime: out of memory"), []byte("SIG"),
}

// crash keeps the first line in which the Go runtime says why it gives up.
// What it tells after that, the stacks of all goroutines, pushes the reason
// out of the last lines.
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
