package tune

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/format"
)

// A candidate is a mode to try.
type candidate struct {
	mode   string // the mode in the syntax of -modes
	family family
	why    string // the reason to try it
	// part returns the mode with a share of the extra memory. It is nil if the mode
	// takes no extra memory.
	part func(share float64) string
	// smaller has modes that change less, to try if this one is better.
	smaller []string
}

// A family groups candidates that exclude each other. Candidates of different families
// can be combined. Each dependency has its own family.
type family string

const (
	pacing    family = "when it collects" // GOGC, heap floor
	collector family = "the collector"    // Green Tea or not
	release   family = "the Go release"
	arenas    family = "Go's arenas"
)

// options are the changes that a target and a machine allow.
type options struct {
	builds bool    // the target is built here, so that code and toolchain can change
	newest string  // release to try, "go1.27.4"; "" for none
	other  string  // experiment that changes the collector, "nogreenteagc"; "" for none
	arenas bool    // the target has code for Go's arenas
	memory float64 // peak RSS allowed, bytes
}

// heapMinimum is the size to which the runtime lets any heap grow
// (runtime/mgcpacer.go, defaultHeapMinimum).
const heapMinimum = 4 << 20

// trigger is the latest point between live heap and goal at which the pacer starts a
// collection (see gctune's pace.go). A heap floor has to stay below that point, so that
// the goal above it fits.
const trigger = 45.0 / 64

// candidates returns the modes that can matter by the evidence.
func candidates(e prospect, o options) []candidate {
	var all []candidate
	if o.builds && o.newest != "" {
		all = append(all, candidate{mode: o.newest, family: release, why: "a newer Go costs a line in go.mod"})
	}
	if o.builds && o.arenas {
		all = append(all, candidate{mode: "arenas", family: arenas, why: "the target has code for Go's arenas"})
	}
	if e.collectsTooLittle() {
		return all
	}
	if o.builds && o.other != "" {
		all = append(all, candidate{mode: o.other, family: collector, why: e.collects()})
	}
	return append(all, pacings(e, o)...)
}

// overhead is roughly the memory of a Go process outside its heap.
const overhead = 8 << 20

// pacings returns settings that let the heap grow further before it is
// collected, within the allowed memory. Each of them can also use a part of that
// memory, because nobody wants more than pays off.
func pacings(e prospect, o options) []candidate {
	// The live heap may be large, so a setting that uses all the allowed memory could
	// exceed the machine's.
	if e.rss == 0 {
		gogc := func(share float64) string { return fmt.Sprintf("GOGC=%d", tens(100+int(share*100))) }
		return []candidate{{mode: gogc(1), family: pacing, why: "a first step, since its memory is not known", part: gogc}}
	}
	// The last collection need not have seen the peak.
	goal := max(2*e.live, heapMinimum, 0.8*(e.rss-overhead))
	live := max(e.live, goal/2)
	room := (o.memory - e.rss) * 0.8 // the heap's own overhead grows with it, and bursts overshoot the goal
	if room < goal/4 {
		return nil // one collection in five less would not be felt
	}
	var all []candidate
	why := "the heap may grow from " + format.Bytes(goal) + " to " + format.Bytes(goal+room)
	to := func(share float64) float64 { return goal + share*room - live }
	floor := func(share float64) string { return fmt.Sprintf("floor=%dMiB", int(live+to(share)*trigger)>>20) }
	gogc := func(share float64) string { return fmt.Sprintf("GOGC=%d", tens(int(to(share)/live*100))) }
	if o.builds && live+to(1)*trigger > goal {
		all = append(all, candidate{mode: floor(1), family: pacing, why: why, part: floor})
	}
	return append(all, candidate{mode: gogc(1), family: pacing, why: why, part: gogc})
}

// tens rounds down to two significant digits, as people write GOGC.
func tens(n int) int {
	for unit := 1; ; unit *= 10 {
		if n < 100*unit {
			return n / unit * unit
		}
	}
}
