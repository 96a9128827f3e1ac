package evidence

import (
	"slices"

	"github.com/heapwright/heapwright/internal/profile"
)

// Frame is one level of a call path.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"` // 0 is unknown
}

// Site is an allocation site: the innermost line of the program's own modules on
// the stacks, or, where none is on them, the innermost outside the runtime.
type Site struct {
	Frame
	Own   bool     // the line is of the program's own code
	Path  []Frame  // heaviest call path, the leaf first; the site is in it
	Below []Callee // functions it allocates through, most bytes first
	// Alloc counts from the start of the program, or over a time if the only profile does.
	Alloc  Amount
	Recent Amount  // allocations over Evidence.Window; equal to Alloc where nothing newer is known
	Live   Amount  // the last heap profile's
	Growth *Growth // the trend of live bytes; nil with fewer than two heap profiles
	// Retained reports that the memory stays: there is a trend of growth over three
	// or more heap profiles, or, with a single one, most of it is still alive.
	Retained bool
	// Staying reports that it is retained or, with less certainty, still grows.
	Staying bool
	// Doubles reports that a few objects are all of its live memory, and that it has become at least
	// twice as large more than once: an array that a buffer or an append makes larger.
	Doubles bool
	// Total is the share of CPU time in the line and all below it, own work
	// included: no remedy at the line can save more.
	Total float64
	// CPU and Memory are ceilings: the shares of CPU time and of the live heap
	// that removing all of its allocations saves.
	CPU, Memory Range
	// Stacks are the stacks of heap and CPU profiles that have the site as their
	// innermost own frame; Sum is their weight together.
	Stacks []profile.StackID
	Sum    Weight

	key       line
	liveKnown bool
	charge    charge
}

// Callers returns the line of a site and those that call it, at most Outward frames. The frames of
// libraries below the line are not among them.
func (s *Site) Callers() []Frame {
	path := s.Path[max(0, slices.Index(s.Path, s.Frame)):]
	return path[:min(len(path), Outward)]
}

// line identifies a site.
type line struct {
	function profile.FunctionID // the first of its copies
	line     int64
}

// line returns the line that a frame is at.
func (e *Evidence) line(f profile.Frame) line { return line{e.origins[f.Function], f.Line.Line} }

// origins returns, by FunctionID, the first function of the same package that begins at
// the same line. A function literal has a copy, with a name of its own, in each function
// that its own is inlined into, and again for each shape of a generic one.
func origins(d *profile.Dict) []profile.FunctionID {
	type start struct {
		file, pkg string
		line      int64
	}
	first, all := map[start]profile.FunctionID{}, make([]profile.FunctionID, d.NumFunctions())
	for i := range all {
		id := profile.FunctionID(i)
		f := d.Function(id)
		all[i] = id
		if f.File == "" || f.StartLine <= 0 {
			continue
		}
		at := start{f.File, profile.PackageOf(f.Name), f.StartLine}
		if known, ok := first[at]; ok {
			all[i] = known
		} else {
			first[at] = id
		}
	}
	return all
}

// Survival returns the share of the bytes allocated that are still alive. It is
// false where nothing was allocated or no heap profile shows live objects.
func (s *Site) Survival() (float64, bool) {
	if s.Alloc.Bytes == 0 || !s.liveKnown {
		return 0, false
	}
	return s.Live.Bytes / s.Alloc.Bytes, true
}

// Surviving returns the share of the bytes allocated that are still alive, 1
// where they are older than the figures for allocations.
func (s *Site) Surviving() float64 {
	if s.Alloc.Bytes == 0 {
		return 1
	}
	return min(1, s.Live.Bytes/s.Alloc.Bytes)
}

// Callee is a function that the site's line calls, directly or not, with the
// allocations through it. Functions of the runtime (growslice, convTstring) are
// known from CPU samples alone, because heap profiles leave them out, and have no
// Alloc.
type Callee struct {
	Function string
	Alloc    Amount
	CPU      float64 // share of the program's CPU time in samples that pass through it below the site
}
