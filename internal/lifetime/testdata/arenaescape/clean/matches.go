package clean

import (
	"regexp"

	"github.com/heapwright/heapwright/arena"
)

var postcode = regexp.MustCompile(`\b(\d{5})\b`)

// The index of a match refers to nothing.
func districtAt(p *arena.Pool, street, city string) []int {
	a := p.Get()
	defer a.Free()
	return postcode.FindStringSubmatchIndex(arena.Concat(a, street, city))
}
