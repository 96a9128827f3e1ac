// Every name is turned into runes and back to be shortened.
package main

import (
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func initials(name string) string {
	runes := []rune(name) // want: string-conversion
	for i, r := range runes {
		if r == ' ' && i+1 < len(runes) {
			return name[:1] + "."
		}
	}
	return ""
}

var longest int

func main() {
	names := strings.Split(strings.Repeat("Johann Wolfgang von Goethe und noch viele andere mehr,Søren Kierkegaard,Nguyễn Du mit einem sehr langen Namen,", 20), ",")
	harness.Run(func() {
		for _, name := range names {
			longest = max(longest, len(initials(name)))
		}
	})
}
