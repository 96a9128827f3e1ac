// An error is formatted for every miss, and thrown away by the caller.
package main

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type registry map[int]string

func (r registry) get(id int) (string, error) {
	if name, ok := r[id]; ok {
		return name, nil
	}
	return "", fmt.Errorf("no entry with the number %d in a registry of %d", id, len(r)) // want: formatting
}

var missing int

func main() {
	r := registry{1: "one", 2: "two", 3: "three"}
	harness.Run(func() {
		for id := range 1000 {
			if _, err := r.get(id); err != nil {
				missing++
			}
		}
	})
}
