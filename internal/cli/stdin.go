package cli

import (
	"os"
	"slices"
)

// stdin is the name of standard input as a file. The readers of files refuse a
// terminal and bound the bytes of a pipe.
const stdin = "/dev/stdin"

// fromStdin replaces "-" among the names of files by standard input.
func fromStdin(names []string) error {
	if n := slices.Index(names, "-"); n >= 0 {
		if _, err := os.Stat(stdin); err != nil {
			return usagef("- is standard input, which this system cannot open as a file; name a file")
		}
		names[n] = stdin
		if slices.Contains(names, "-") {
			return usagef("- stands for standard input, which can be read only once")
		}
	}
	return nil
}
