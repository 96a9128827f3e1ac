package report

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/format"
)

// Limits of the page. A browser needs seconds to lay out a table of this many rows, and
// a plot of more points than this has no room for their names.
const (
	pageRows   = 20_000
	pagePoints = 100
)

// section counts the rows of a section of the page, and leaves out those beyond
// its limit.
type section struct {
	name        string
	limit, rows int
}

// full reports whether there is no room for one more row.
func (s *section) full() bool {
	s.rows++
	return s.rows > s.limit
}

// note says how much was left out.
func (s *section) note() string {
	return fmt.Sprintf("%s: the page shows the first %d of %s; report.json has all", s.name, s.limit,
		format.Plural(s.rows, "row"))
}
