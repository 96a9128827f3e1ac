package evidence

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

const (
	manyGoroutines = 1000 // in one place, where their number does not grow
	someGoroutines = 50   // in one place, where it does
	mostlyThere    = 0.9  // of the largest number: goroutines that are served leave
)

// groupWaiting groups blocked goroutines by the line of the program's own in which
// they wait, and keeps the places where suspiciously many do.
func (b *builder) groupWaiting() {
	var all []WaitingPlace
	place := func(at Frame, path []Frame) *WaitingPlace {
		i := slices.IndexFunc(all, func(p WaitingPlace) bool { return p.Frame == at })
		if i < 0 {
			i = len(all)
			all = append(all, WaitingPlace{Frame: at, Path: slices.DeleteFunc(path, func(f Frame) bool { return owner.OfRuntime(f.Function) }),
				Counts: make([]float64, len(b.goroutines))})
		}
		return &all[i]
	}
	for i, p := range b.goroutines {
		b.Goroutines = 0
		for stack, n := range counts(p) {
			b.Goroutines += n
			path := b.Frames(stack)
			if at, ok := b.blocked(path); ok {
				place(at, path).Counts[i] += n
			}
		}
	}
	for _, p := range b.leaks[max(0, len(b.leaks)-1):] {
		for stack, n := range counts(p) {
			path := b.Frames(stack)
			if at, ok := b.blocked(path); ok {
				place(at, path).Leaked += n
			}
		}
	}
	slices.SortFunc(all, func(a, b WaitingPlace) int { return cmp.Compare(b.Now(), a.Now()) })
	hours := b.goroutineHours()
	for i := range all {
		all[i].Grows = increases(hours, all[i].Counts)
	}
	b.Waiting = slices.DeleteFunc(all, func(p WaitingPlace) bool {
		switch {
		case p.Leaked > 0:
			return false
		case p.Grows:
			return p.Now() < someGoroutines
		case len(p.Counts) >= minTrend:
			return true // as many as before: they serve, or wait for work
		}
		return p.Now() < manyGoroutines || p.Now() < mostlyThere*slices.Max(p.Counts)
	})
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

// increases reports whether a number of goroutines grows by more than the chance
// of their coming and going, a Poisson process.
func increases(hours, counts []float64) bool {
	n := len(counts)
	if n < minTrend {
		return false
	}
	t := trendOf(hours, counts, func(i, j int) float64 { return math.Sqrt(counts[i] + counts[j]) })
	return t.low > 0 && !t.levels
}

// blocked returns the innermost own frame of a goroutine that is parked.
func (b *builder) blocked(path []Frame) (Frame, bool) {
	if len(path) == 0 || !strings.HasPrefix(path[0].Function, "runtime.gopark") {
		return Frame{}, false
	}
	if i := slices.IndexFunc(path, b.Owns); i >= 0 {
		return path[i], true
	}
	return Frame{}, false
}
