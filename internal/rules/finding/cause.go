package finding

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/source"
)

// Cause is a site's allocations through one callee or by one expression. The
// causes of a site are disjoint, and each is assigned to one rule.
type Cause struct {
	evidence.Weight
	Site       *evidence.Site
	Callee     string            // claimed function that it is allocated through; "" if by the line itself
	Expression source.Allocation // if by the line itself; zero where that is not known
	Confidence evidence.Confidence
}

// Dies reports whether most memory that the cause allocates dies, so that it could
// be used again. It is true if survival is unknown.
func (c *Cause) Dies() bool {
	return c.Alloc.Bytes == 0 || c.Live.Bytes < c.Alloc.Bytes/2
}

// Figures are the cause's allocations in numbers.
func (c *Cause) Figures() []Figure {
	var all []Figure
	if c.Alloc.Bytes > 0 {
		all = append(all, Figure{"allocated", c.Alloc.Bytes, "bytes"}, Figure{"allocated", c.Alloc.Objects, "objects"},
			Figure{"survives", min(1, c.Live.Bytes/c.Alloc.Bytes), "fraction"})
	}
	if c.Alloc.Objects > 0 {
		all = append(all, Figure{"mean size", c.Alloc.Bytes / c.Alloc.Objects, "bytes"})
	}
	if c.CPU > 0 {
		all = append(all, Figure{"CPU time in it", c.CPU, "fraction"})
	}
	return all
}
