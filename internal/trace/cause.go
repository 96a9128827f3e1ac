package trace

import (
	"cmp"
	"slices"
)

// maxCauses bounds the stops and waits with an entry of their own.
const maxCauses = 1 << 14

// key identifies a cause.
type key struct {
	kind   WaitKind
	at, by Place
}

// cause is a line that stops the world, or a line that waits for another. reason is the
// runtime's reason for the stop.
type cause struct {
	key
	via, byVia string
	reason     string
	count      int64
	time       int64
	longest    int64
	// waited is the time in which goroutines waited for their turn to stop the world.
	waited int64
	// away is the time that the holder spent off the processor meanwhile, by its line.
	away map[absence]int64
}

func (c *cause) add(took int64) {
	c.count++
	c.time += took
	c.longest = max(c.longest, took)
}

// causes are numbered as they come. Those beyond the bound share the number 0.
type causes struct {
	all     []cause
	numbers map[key]int32
}

func newCauses() *causes {
	return &causes{all: []cause{{key: key{at: Place{Function: othersTitle}}}}, numbers: map[key]int32{}}
}

// stop returns the number of the line that stops the world.
func (c *causes) stop(at site) int32 {
	return c.number(cause{key: key{kind: stopWait, at: at.at}, via: at.via})
}

// wait returns the number of a line that waits until another line releases.
func (c *causes) wait(kind WaitKind, at, by site) int32 {
	return c.number(cause{key: key{kind: kind, at: at.at, by: by.at}, via: at.via, byVia: by.via})
}

func (c *causes) number(of cause) int32 {
	n, ok := c.numbers[of.key]
	if !ok && len(c.all) < maxCauses {
		n = int32(len(c.all))
		c.all = append(c.all, of)
		c.numbers[of.key] = n
	}
	return n
}

// stops returns the lines that stopped the world. The line with most of the tail comes
// first.
func (c *causes) stops(paid map[int32]int64) []Stop {
	all := []Stop{}
	for i, c := range c.all {
		if c.kind == stopWait && c.count > 0 {
			all = append(all, Stop{Place: c.at, Via: c.via, Reason: c.reason, Count: c.count, Time: c.time,
				Longest: c.longest, Turns: c.waited, InTail: paid[int32(i)]})
		}
	}
	slices.SortStableFunc(all, func(a, b Stop) int {
		return cmp.Or(cmp.Compare(b.InTail, a.InTail), cmp.Compare(b.Time, a.Time))
	})
	return all
}

// waits returns the lines that waited. The line with most of the tail comes first.
func (c *causes) waits(paid map[int32]int64) []Wait {
	all := []Wait{}
	for i, c := range c.all {
		if c.kind != stopWait && c.count > 0 {
			all = append(all, Wait{Kind: c.kind, At: c.at, Via: c.via, By: c.by, ByVia: c.byVia, Count: c.count,
				Time: c.time, Longest: c.longest, InTail: paid[int32(i)], Away: absences(c.away)})
		}
	}
	slices.SortStableFunc(all, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(b.InTail, a.InTail), cmp.Compare(b.Time, a.Time))
	})
	return all
}
