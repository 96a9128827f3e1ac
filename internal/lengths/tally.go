package lengths

import (
	"go/types"
	"math/bits"
	"slices"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// buckets is the number of buckets of a histogram: below 16 each length has its own, and above
// there are eight for each doubling, up to 2^24.
const buckets = 16 + 8*20

// tally is the histogram of the lengths at one site: how many began, how many reached each
// bucket, and how many ended in it. One of the two histograms is empty.
type tally struct {
	began          int64
	reached, ended [buckets]int64
}

func (t *tally) add(event string, bucket int, n int64) {
	switch event {
	case "began":
		t.began += n
	case "reached":
		t.reached[bucket] += n
	case "ended":
		t.ended[bucket] += n
	}
}

// quantile returns the largest length of the bucket that a share of so many do not exceed.
func (t *tally) quantile(all int64, share float64) int {
	allowed := float64(all) * (1 - share) // so many may be longer
	longer := float64(0)
	for b := buckets - 1; b > 0; b-- {
		longer += float64(t.ended[b])
		if max(longer, float64(t.reached[b])) > allowed {
			return largest(b)
		}
	}
	return 0
}

// largest returns a number of elements that has room for all lengths of a bucket.
func largest(bucket int) int {
	if bucket < 16 {
		return bucket
	}
	log, eighth := 4+(bucket-16)/8, (bucket-16)%8
	return (9 + eighth) << (log - 3)
}

const (
	// leastEvents is the number of lengths from which on a quantile means something.
	leastEvents = 20
	// skewed is how many times the usual length the proposed room may be: beyond, the room
	// of most would stay unused.
	skewed = 4
	// mostBytes bounds the room of a text or slice. Larger ones are zeroed and freed one by one.
	mostBytes = 32 << 10
	// mostEntries bounds the room of a map.
	mostEntries = 1024
)

// least is the shortest room that spares an allocation (append and the builders begin with
// 8 bytes, a Buffer with 64, a map with one group of 8).
var least = map[kind]int{list: 2, mapping: 9, builder: 9, buffer: 65}

// leastLate is the shortest room that is worth the three lines of code that make it late.
const leastLate = 4

func (s *site) least() int {
	if s.late {
		return leastLate
	}
	return least[s.kind]
}

// room returns the room to make for a site and the part of all for which it suffices, in
// words, or 0 where there is none to propose. Each tally is of a process, which runs one
// benchmark.
func (s *site) room(tallies []*tally) (room int, suffices string) {
	t := &tally{}
	for _, one := range tallies {
		t.join(one)
	}
	if t.began < leastEvents {
		return 0, ""
	}
	all := s.filled(t)
	usual, room := t.quantile(all, 0.5), t.quantile(all, 0.9)
	if usual == 0 {
		return 0, "" // most stay empty
	}
	suffices = "nine of ten"
	if room > skewed*usual {
		room, suffices = usual, "half of them"
	}
	if spared := s.spared(tallies, room); spared >= s.least() && spared < room {
		room, suffices = spared, t.suffices(all, spared)
	}
	switch {
	case room < s.least():
		return 0, ""
	case s.kind == mapping && room > mostEntries, s.kind != mapping && int64(room)*max(1, s.width) > mostBytes:
		return 0, ""
	}
	return room, suffices
}

// filled returns the number of those that get room: with late, those that stay empty get none.
func (s *site) filled(t *tally) int64 {
	if s.late {
		return t.reached[1]
	}
	return t.began
}

// spared returns a room with which no benchmark allocates more bytes, 0 if there is none: the
// given one, or the largest power of two below it, from which a slice doubles to the same
// sizes as from nothing. A slice that stays in its function has its room on the stack. How
// texts and maps grow depends on their contents.
func (s *site) spared(tallies []*tally, room int) int {
	if s.kind != list || !s.escapes {
		return room
	}
	for room > 0 {
		more := func(t *tally) bool { return t.bytes(s, room) > t.bytes(s, 0) }
		if !slices.ContainsFunc(tallies, more) {
			return room
		}
		room = 1 << bits.Len(uint(room-1)) >> 1
	}
	return 0
}

// bytes returns the total that the slices of a tally allocate if each begins with room for so
// many elements.
func (t *tally) bytes(s *site, room int) (total int64) {
	all := s.filled(t)
	if !s.late && room > 0 {
		total = all * int64(room)
	}
	for b := range buckets {
		n := all
		if b > 0 {
			n = t.reached[b]
		}
		if b+1 < buckets {
			n -= t.reached[b+1] // so many end in this bucket
		}
		if n <= 0 || b == 0 {
			continue
		}
		if s.late {
			total += n * int64(room)
		}
		for size := max(1, 2*room); room < largest(b) && size < 2*largest(b); size *= 2 {
			total += n * int64(size)
		}
	}
	return total * s.width
}

// suffices says for which part of all a room suffices.
func (t *tally) suffices(all int64, room int) string {
	longer := int64(0)
	for b := range buckets {
		if largest(b) > room {
			longer = t.reached[b]
			break
		}
	}
	words := []string{"few", "one of ten", "two of ten", "three of ten", "four of ten", "half of them", "six of ten",
		"seven of ten", "eight of ten", "nine of ten", "all"}
	return words[10*max(0, all-longer)/max(1, all)]
}

// join adds the counts of another process.
func (t *tally) join(o *tally) {
	t.began += o.began
	for b := range buckets {
		t.reached[b] += o.reached[b]
		t.ended[b] += o.ended[b]
	}
}

// unit is the unit of a site's lengths.
func (s *site) unit() string {
	switch s.kind {
	case mapping:
		return "entries"
	case list:
		return "elements"
	}
	return "bytes"
}

// width returns the size of a slice's element, else 1.
func (g *grower) width(sizes types.Sizes) int64 {
	if s, ok := g.v.Type().Underlying().(*types.Slice); ok && g.kind == list && !rewrite.Parametric(s.Elem()) {
		return sizes.Sizeof(s.Elem())
	}
	return 1
}
