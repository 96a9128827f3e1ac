package termtext

import "strings"

// LastLines returns the last n lines of a run's output, each harmless.
func LastLines(output string, n int) []string {
	output = strings.TrimRight(strings.ReplaceAll(output, "\r\n", "\n"), "\n")
	if output == "" {
		return nil
	}
	lines := strings.Split(output, "\n")
	lines = lines[max(0, len(lines)-n):]
	for i, l := range lines {
		lines[i] = Harmless(strings.ReplaceAll(l, "\t", "    "))
	}
	return lines
}
