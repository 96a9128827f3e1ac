package collect

// When says before which heap profiles a service collects garbage. A heap profile shows
// the heap as the last collection left it.
type When int

const (
	Never When = iota
	// IfStale is before profiles of a very small heap, and of a small one once no collection has
	// run between two of them: a trend needs different collections.
	IfStale
	Always
)

const (
	// mostAsked in bytes is the largest live heap that is collected for IfStale. That takes
	// some 0.1 s of CPU time, which the CPU profile of the window contains.
	mostAsked = 128 << 20
	// freely in bytes is the largest live heap that is collected before each profile, which
	// takes some 0.02 s.
	freely = 32 << 20
	// askEvery is the number of profiles from one that asks to the next, for larger heaps: of
	// ten, the third, the seventh and the last ask.
	askEvery = 4
)

// staleness follows the heap profiles of a window.
type staleness struct {
	taken     int
	asked     int   // number of the profile that asked last, from 1 on
	count     int   // profiles that asked
	allocated int64 // sum that each collection changes
	live      int64 // bytes
	stale     bool  // the last two show one collection
	over      bool  // the next one is the last
}

// asks reports whether the next heap profile asks for a collection first.
func (s *staleness) asks(when When) bool {
	due := s.over || s.asked == 0 || s.taken+1 >= s.asked+askEvery
	seldom := s.stale && due && s.live <= mostAsked
	return when == Always || when == IfStale && (seldom || s.taken > 0 && s.live <= freely)
}

// saw notes a heap profile by the sums of its columns.
func (s *staleness) saw(sums map[string]int64, asked bool) {
	s.taken++
	if asked {
		s.asked = s.taken
		s.count++
	}
	s.stale = s.taken > 1 && sums["alloc_space"] == s.allocated
	s.allocated, s.live = sums["alloc_space"], sums["inuse_space"]
}
