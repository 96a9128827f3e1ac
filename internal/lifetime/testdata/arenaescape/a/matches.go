package a

import (
	"regexp"

	"github.com/heapwright/heapwright/arena"
)

var postcode = regexp.MustCompile(`\b(\d{5})\b`)

func district(p *arena.Pool, street, city string) string {
	a := p.Get()
	defer a.Free()
	address := arena.NewBuffer(a, 64)
	address.WriteString(street)
	address.WriteString(city)
	m := postcode.FindStringSubmatch(address.String())
	if m == nil {
		return ""
	}
	return m[1] // want `memory of the arena a is returned`
}
