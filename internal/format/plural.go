package format

import "fmt"

// Plural writes a number of things whose plural ends in s: "1 block", "12 blocks".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
