// The path of every entry is joined with + to be looked up once.
package main

import (
	"strconv"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type tree map[string]int

func (t tree) size(dir, name, version string) int {
	path := dir + "/" + name + "@" + version // want: string-concatenation
	return t.lookup(path)
}

//go:noinline
func (t tree) lookup(path string) int { return t[path] }

var total int

func main() {
	t := tree{"github.com/somebody/something/long@v1.2.3": 1}
	versions := make([]string, 100)
	for i := range versions {
		versions[i] = "v1.2." + strconv.Itoa(i)
	}
	harness.Run(func() {
		for _, v := range versions {
			total += t.size("github.com/somebody/something", "long", v)
		}
	})
}
