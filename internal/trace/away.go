package trace

import (
	"cmp"
	"maps"
	"slices"
)

const (
	// shortest is the length from which on an absence may explain why others wait.
	shortest = 20_000
	// maxAway is how many of its last absences a goroutine keeps. A lock is rarely held
	// over more.
	maxAway = 4
	// maxAbsences bounds the lines for each cause.
	maxAbsences = 16
)

// absence is a line at which a goroutine leaves the processor.
type absence struct {
	at    Place
	via   string
	doing string // the reason to wait, or "system call"
}

// systemCall is the doing of a goroutine in the kernel.
const systemCall = "system call"

// interval is one absence.
type interval struct {
	absence
	from, to int64
}

// away keeps the last absences of a goroutine, the oldest first.
type away []interval

// leave notes that a goroutine was away until now.
func (a *away) leave(i interval) {
	if i.doing == "" || i.to-i.from < shortest {
		return
	}
	if len(*a) >= maxAway {
		*a = append((*a)[:0], (*a)[1:]...)
	}
	*a = append(*a, i)
}

// during adds the absences between two points in time to a cause.
func (a away) during(from, to int64, c *cause) {
	for _, i := range a {
		overlap := min(i.to, to) - max(i.from, from)
		if overlap <= 0 {
			continue
		}
		if _, known := c.away[i.absence]; !known && len(c.away) >= maxAbsences {
			continue
		}
		if c.away == nil {
			c.away = map[absence]int64{}
		}
		c.away[i.absence] += overlap
	}
}

// absences returns the absences of a holder. The longest comes first.
func absences(all map[absence]int64) (out []Away) {
	for _, a := range slices.SortedFunc(maps.Keys(all), func(a, b absence) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), cmp.Compare(a.at.File, b.at.File), cmp.Compare(a.at.Line, b.at.Line),
			cmp.Compare(a.via, b.via), cmp.Compare(a.doing, b.doing))
	}) {
		out = append(out, Away{Place: a.at, Via: a.via, Doing: a.doing, Time: all[a]})
	}
	return out
}
