// The key of a cache is formatted for every lookup.
package main

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type prices map[string]int

func (p prices) lookup(country string, product int) int {
	key := fmt.Sprintf("%s/%d", country, product) // want: formatting
	return p[key]
}

var total int

func main() {
	p := prices{}
	countries := []string{"de", "fr", "it", "pl"}
	for _, c := range countries {
		for i := range 1000 {
			p[fmt.Sprintf("%s/%d", c, i)] = i
		}
	}
	harness.Run(func() {
		for _, c := range countries {
			for i := range 1000 {
				total += p.lookup(c, i)
			}
		}
	})
}
