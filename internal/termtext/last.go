package report

import (
	"strings"

	"github.com/heapwright/heapwright/internal/termtext"
)

// lastLines returns the last n lines of a run's output, each harmless.
func lastLines(output string, n int) []string {
	output = strings.TrimRight(strings.ReplaceAll(output, "\r\n", "\n"), "\n")
	if output == "" {
		return nil
	}
	lines := strings.Split(output, "\n")
	lines = lines[max(0, len(lines)-n):]
	for i, l := range lines {
		lines[i] = termtext.Harmless(strings.ReplaceAll(l, "\t", "    "))
	}
	return lines
}

// short cuts text to n characters.
func short(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
