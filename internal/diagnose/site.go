package diagnose

import "github.com/heapwright/heapwright/internal/profile"

// Amount is memory in both its sizes, as a heap profile estimates them.
type Amount struct {
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`
}

func (a *Amount) add(b Amount) { a.Bytes += b.Bytes; a.Objects += b.Objects }

// atLeastZero undoes what sampling noise makes of the difference of two
// profiles.
func (a Amount) atLeastZero() Amount { return Amount{max(a.Bytes, 0), max(a.Objects, 0)} }

// Site is a line of the program's own code that allocates, itself or in what it
// calls below: the innermost frame of the program's own modules, otherwise the
// innermost outside the runtime.
type Site struct {
	Frame
	Path   []Frame  // the heaviest call path, the leaf first; the site is in it
	Below  []Callee // what it allocates through, the most bytes first
	Alloc  Amount   // since the program started; over a time where only a profile of that is there
	Recent Amount   // over Evidence.Window, the time that CPU shares are apportioned by; equal to Alloc where nothing newer is known
	Live   Amount   // when the last heap profile was taken
	Growth *Growth  // of live bytes; nil with fewer than two heap profiles
	// Total is the share of CPU time in the line and all below it, own work
	// included: what cannot be exceeded by whatever is done about the line.
	Total float64
	// CPU and Memory are ceilings: the share of CPU time and of the live heap
	// that removing all of its allocations saves.
	CPU, Memory Range

	stacks []profile.StackID // of all evidence: what has the site as its innermost own frame
	alive  bool              // Live is known
	own    bool              // the line is of the program's own code
	toll
}

// Stacks returns the stacks, of heap and CPU profiles, whose innermost own frame
// is the site.
func (s *Site) Stacks() []profile.StackID { return s.stacks }

// Survival returns the share of the bytes allocated that are still alive. It is
// false where nothing was allocated or no heap profile says what lives.
func (s *Site) Survival() (float64, bool) {
	if s.Alloc.Bytes == 0 || !s.alive {
		return 0, false
	}
	return s.Live.Bytes / s.Alloc.Bytes, true
}

// Callee is a function that the site's line calls, directly and by way of
// others, and what is allocated through it. Heap profiles end where the runtime
// begins; functions of the runtime (growslice, slicebytetostring, convTstring)
// are known from CPU samples alone and then have no Alloc.
type Callee struct {
	Function string
	Runtime  bool
	Alloc    Amount
	Live     Amount
	CPU      float64 // share of the program's CPU time in samples that pass through it below the site, allocating or not
	Saves    Range   // ceiling: what removing the allocations through it saves
}

// Growth is how live bytes change with time.
type Growth struct {
	PerHour  float64 `json:"per_hour"` // bytes; the median of the slopes between all pairs of profiles (Theil–Sen)
	Low      float64 `json:"low"`      // ends of its 95 % interval
	High     float64 `json:"high"`
	Profiles int     `json:"profiles"`
	Span     float64 `json:"span_seconds"` // from the first to the last
}

// surely returns the bytes that came to live at least while the profiles were
// taken; of a line whose garbage hides it, less than a few requests under way
// hold is no growth.
func (g *Growth) surely() float64 {
	if g == nil {
		return 0
	}
	return g.Low * g.Span / 3600
}
