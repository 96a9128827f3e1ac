package trace

import "github.com/heapwright/heapwright/internal/stats"

// roomy is the growth of the heap between two collections from which on GOGC decides when
// the next one begins. The default is 100%, of which the pacer takes off at most a third.
const roomy = 0.25

// fewest is the number of collections that show a pattern.
const fewest = 5

// Cramped reports whether most collections begin although the heap has hardly grown since
// the one before, and the median of that growth, as a share of the heap. A memory limit
// near the live heap does that, or a very low GOGC. Collections that the program forces
// are left out.
func (d *Document) Cramped() (growth float64, ok bool) {
	var all []float64
	for i := 1; i < len(d.Cycles); i++ {
		before, c := d.Cycles[i-1], d.Cycles[i]
		if c.Forced == nil && !c.Partial && !before.Partial && before.HeapEnd > 0 {
			all = append(all, max(0, float64(c.HeapStart)/float64(before.HeapEnd)-1))
		}
	}
	if len(all) < fewest {
		return 0, false
	}
	growth = stats.Median(all)
	return growth, growth < roomy
}
