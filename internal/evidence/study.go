package evidence

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/internal/source"
)

const (
	// maxStudied is how many sites' packages are compiled for their escape
	// reasons: the others cost too little to be worth a change.
	maxStudied = 200
	// maxInner is how many lines of a dependency are studied below a site, and
	// maxOutside below how many sites: more are not shown.
	maxInner, maxOutside = 4, 20
	// Outward is how many frames of a path rules look at: further out,
	// everything is on it.
	Outward = 8
)

// worthSearching is the share of CPU time from which on a cost that no line of the
// program is on the stacks of is searched for in the source.
const worthSearching = 0.1

// lacksPlace reports whether the source has to show where a cost comes from: a timer
// that fires does not know who made it, nor a goroutine who started it.
func (b *builder) lacksPlace() bool {
	return b.Collections.ByForce > 0 || slices.ContainsFunc(b.Costs.Work,
		func(w Work) bool { return w.Share >= worthSearching })
}

// study reads and compiles the source of sites, of the functions on their paths,
// and of the places where goroutines pile up. Its failure is a doubt, not an error.
func (b *builder) study(ctx context.Context) error {
	seen := map[Frame]bool{}
	var places []source.Place
	add := func(f Frame) {
		_, _, found := b.Source.Dependency(f.Function, f.File)
		if (found || b.Source.Owns(f.Function, f.File)) && !seen[f] && !injected(f.File) {
			seen[f] = true
			places = append(places, source.Place(f))
		}
	}
	addOwn := func(path []Frame) {
		for _, f := range path[:min(len(path), Outward)] {
			if !b.Foreign(f) {
				add(f)
			}
		}
	}
	sites, outside := 0, 0
	// The packages that main needs are the whole program.
	for i := range b.Sites {
		if main := slices.IndexFunc(b.Sites[i].Path, isMain); main >= 0 {
			add(b.Sites[i].Path[main])
		}
	}
	// Studying takes time, so only sites that findings may be about are studied.
	for i := range b.Sites {
		s := &b.Sites[i]
		if sites == maxStudied || s.CPU.High < MinSaving && s.Memory.High < MinSaving && b.CPU != nil {
			continue
		}
		sites++
		addOwn([]Frame{s.Frame})
		addOwn(s.Path)
		addOwn(s.Callers())
		inner := b.Inner(s, "")
		if !s.Own || len(inner) == 0 || outside == maxOutside {
			continue
		}
		outside++
		for _, s := range inner[:min(len(inner), maxInner)] {
			add(s.Frame)
		}
	}
	for _, p := range slices.Concat(b.Waiting, b.Queues) {
		addOwn(p.Path)
		for _, f := range p.Creators {
			addOwn([]Frame{f})
		}
	}
	for _, p := range b.goroutines[max(0, len(b.goroutines)-1):] {
		// The line that starts goroutines of a library is on none of their stacks, but main
		// may have it.
		for _, stack := range p.Stacks {
			path := b.Frames(stack)
			if i := slices.IndexFunc(path, isMain); i >= 0 {
				add(path[i])
			}
		}
	}
	for _, f := range b.Collections.Forcing {
		addOwn(f.Path)
	}
	for _, w := range b.Costs.Work {
		if w.Root.Function != "" && w.Share >= worthSearching {
			addOwn([]Frame{w.Root})
		}
	}
	if b.CPU != nil && b.lacksPlace() {
		for _, stack := range b.CPU.Stacks {
			addOwn(slices.DeleteFunc(b.Frames(stack), func(f Frame) bool { return !b.Owns(f) }))
		}
	}
	for _, h := range b.HotLines() {
		addOwn([]Frame{h.Frame})
	}
	if err := b.Source.Study(ctx, places); err != nil {
		b.note("the source could not be studied: %v", err)
	}
	b.Notes = append(b.Notes, b.Source.Notes()...)
	return ctx.Err()
}

func isMain(f Frame) bool { return f.Function == "main.main" }
