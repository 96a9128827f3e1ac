// A regular expression is compiled in every call.
package main

import (
	"regexp"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

func isEmail(s string) bool {
	re := regexp.MustCompile(`^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$`) // want: encoder
	return re.MatchString(s)
}

var valid int

func main() {
	addresses := []string{"gopher@example.com", "nobody", "a.b@c.org", "@", "x@y"}
	harness.Run(func() {
		for _, a := range addresses {
			if isEmail(a) {
				valid++
			}
		}
	})
}
