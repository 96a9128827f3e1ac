package evidence

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

const (
	manyGoroutines = 1000 // many for one place, if their number does not grow
	someGoroutines = 20   // many for one place, if it does
	manyThreads    = 100  // many in system calls, each of which occupies a thread
	leastQueue     = 10   // least in each profile, where a lock always has a queue
	mostlyThere    = 0.9  // share of the largest number: goroutines that are served leave
	maxGroups      = 5    // groups that are shown
	maxWaits       = 8    // states of one place that are kept
)

// gathering is goroutines by place, while profiles are read.
type gathering struct {
	*builder
	index  map[Frame]int
	places []WaitingPlace
	groups map[string][]float64 // first function → the count of each profile
}

// groupWaiting groups goroutines by the line of the program's own in which they wait,
// or else by the function that they began in, and keeps the places where suspiciously
// many are.
func (b *builder) groupWaiting() {
	g := gathering{builder: b, index: map[Frame]int{}, groups: map[string][]float64{}}
	for i, p := range b.goroutines {
		for j := range g.places {
			g.places[j].Waits, g.places[j].Creators = nil, nil // only the last profile's are kept
		}
		for stack, n := range counts(p) {
			g.add(stack, n, i)
		}
	}
	// The runtime has found these blocked for ever: they count whatever their number.
	for _, p := range b.leaks[max(0, len(b.leaks)-1):] {
		for stack, n := range counts(p) {
			if at := g.place(stack); at != nil {
				at.Leaked += n
				at.wait(g.split(stack), n)
			}
		}
	}
	if n := len(b.goroutines); n > 0 {
		b.last = b.goroutines[n-1]
	}
	hours := b.goroutineHours()
	b.count(hours, g.groups)
	for i := range g.places {
		p := &g.places[i]
		if p.Now() < someGoroutines && p.Leaked == 0 {
			continue
		}
		p.Trend, p.Grows = trendOfCounts(hours, p.Counts)
		slices.SortStableFunc(p.Waits, func(a, b Waiting) int { return cmp.Compare(b.Count, a.Count) })
		if len(p.Waits) > 0 {
			p.Path = p.Waits[0].Path
		}
	}
	slices.SortStableFunc(g.places, func(a, b WaitingPlace) int { return cmp.Compare(b.Now(), a.Now()) })
	for i := range g.places {
		if p := &g.places[i]; p.queues() {
			b.Queues = append(b.Queues, *p)
		}
	}
	b.Waiting = slices.DeleteFunc(g.places, func(p WaitingPlace) bool {
		switch {
		case p.Leaked > 0:
			return false
		case p.Grows:
			return p.Now() < someGoroutines
		case p.Reason() == SystemCall && middle(p.Counts) >= manyThreads:
			return false
		case len(p.Counts) >= minTrend:
			return true // their number is steady: they serve, or wait for work
		}
		return p.Now() < manyGoroutines || p.Now() < mostlyThere*slices.Max(p.Counts)
	})
}

// queues reports whether many goroutines wait for a lock in each of some profiles, and their number
// is steady.
func (p *WaitingPlace) queues() bool {
	return !p.Library && !p.Grows && p.Leaked == 0 && p.Reason() == Lock && p.Now() >= someGoroutines &&
		len(p.Counts) >= minTrend && slices.Min(p.Counts) >= leastQueue
}

// middle returns the median, the upper of two.
func middle(counts []float64) float64 {
	if len(counts) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(counts))[len(counts)/2]
}

// split is a goroutine's stack in parts.
type split struct {
	reason  Reason
	path    []Frame // without the runtime's frames, the leaf first
	own     int     // index in path of the innermost frame of the program, or -1
	creator Frame   // zero where it is not known
}

func (e *Evidence) split(stack profile.StackID) split {
	path := e.Frames(stack)
	s := split{reason: reasonOf(path, e.Owns)}
	// Text dumps name the function that started a goroutine below its first one.
	if i := slices.IndexFunc(path, func(f Frame) bool { return f.Function == profile.CreatedBy }); i >= 0 {
		if i+1 < len(path) {
			s.creator = path[i+1]
		}
		path = path[:i]
	}
	s.path = slices.DeleteFunc(path, func(f Frame) bool { return owner.OfRuntime(f.Function) })
	s.own = slices.IndexFunc(s.path, e.Owns)
	return s
}

// place returns the place of a stack; nil where the goroutine waits for nothing in the
// program's own code, or has no frame outside the runtime.
func (g *gathering) place(stack profile.StackID) *WaitingPlace {
	return g.placeOf(g.split(stack))
}

func (g *gathering) placeOf(s split) *WaitingPlace {
	if len(s.path) == 0 || s.own >= 0 && s.reason == Running {
		return nil
	}
	var at Frame
	if s.own >= 0 {
		at = s.path[s.own]
	} else {
		at = Frame{Function: s.path[len(s.path)-1].Function} // the line differs by state
	}
	i, ok := g.index[at]
	if !ok {
		i = len(g.places)
		g.index[at] = i
		place := WaitingPlace{Frame: at, Library: s.own < 0, Counts: make([]float64, len(g.goroutines))}
		if place.Library {
			place.Frame = s.path[len(s.path)-1]
		}
		g.places = append(g.places, place)
	}
	return &g.places[i]
}

func (g *gathering) add(stack profile.StackID, n float64, nth int) {
	s := g.split(stack)
	if len(s.path) > 0 {
		root := s.path[len(s.path)-1].Function
		if g.groups[root] == nil {
			g.groups[root] = make([]float64, len(g.goroutines))
		}
		g.groups[root][nth] += n
	}
	at := g.placeOf(s)
	if at == nil {
		return
	}
	at.Counts[nth] += n
	at.wait(s, n)
	if s.creator != (Frame{}) && !slices.Contains(at.Creators, s.creator) {
		at.Creators = append(at.Creators, s.creator)
	}
}

// wait adds goroutines to the states of a place.
func (p *WaitingPlace) wait(s split, n float64) {
	i := slices.IndexFunc(p.Waits, func(w Waiting) bool { return w.Reason == s.reason && slices.Equal(w.Path, s.path) })
	switch {
	case i >= 0:
		p.Waits[i].Count += n
	case len(p.Waits) < maxWaits:
		p.Waits = append(p.Waits, Waiting{s.reason, n, s.path})
	}
}

// count sums up all goroutines and the largest groups of them.
func (b *builder) count(hours []float64, groups map[string][]float64) {
	if len(b.goroutines) == 0 {
		return
	}
	all := make([]float64, len(b.goroutines))
	for i, p := range b.goroutines {
		for _, n := range counts(p) {
			all[i] += n
		}
	}
	last := len(all) - 1
	b.Goroutines = GoroutineCount{First: all[0], Last: all[last], Profiles: len(all)}
	if len(all) >= minTrend {
		t, _ := trendOfCounts(hours, all)
		b.Goroutines.Trend = &t
	}
	for root, n := range groups {
		b.Goroutines.Groups = append(b.Goroutines.Groups, Group{root, n[0], n[last]})
	}
	slices.SortFunc(b.Goroutines.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(a.Function, b.Function))
	})
	b.Goroutines.Groups = b.Goroutines.Groups[:min(len(b.Goroutines.Groups), maxGroups)]
}

// counts returns the stacks of a goroutine profile with their goroutines.
func counts(p *profile.Profile) iter.Seq2[profile.StackID, float64] {
	return func(yield func(profile.StackID, float64) bool) {
		for row, stack := range p.Stacks {
			if !yield(stack, float64(p.Values[0][row])) {
				return
			}
		}
	}
}

// goroutineHours returns the times of the goroutine profiles since the first.
func (b *builder) goroutineHours() []float64 {
	hours := make([]float64, len(b.goroutines))
	for i, p := range b.goroutines {
		hours[i] = seconds(b.goroutines[0], p) / 3600
		if i > 0 && hours[i] <= hours[i-1] {
			hours[i] = hours[i-1] + 1.0/3600 // a profile without a time: their order is all that is known
		}
	}
	return hours
}

// trendOfCounts returns the trend of a number of goroutines, and reports whether it
// grows by more than the chance of their coming and going, a Poisson process.
func trendOfCounts(hours, counts []float64) (Trend, bool) {
	if len(counts) < minTrend {
		return Trend{}, false
	}
	t := trendOf(hours, counts, func(i, j int) float64 { return math.Sqrt(counts[i] + counts[j]) })
	return Trend{t.slope, t.low, t.high}, t.low > 0 && !t.levels && !t.falters
}

// EachGoroutine calls yield with what the goroutines of the last profile wait for, their
// frames without the runtime's, the leaf first, and their number.
func (e *Evidence) EachGoroutine(yield func(reason Reason, path []Frame, n float64)) {
	if e.last == nil {
		return
	}
	for stack, n := range counts(e.last) {
		s := e.split(stack)
		yield(s.reason, s.path, n)
	}
}
