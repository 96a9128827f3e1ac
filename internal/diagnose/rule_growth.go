package diagnose

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/source"
)

func init() {
	register(Rule{
		Name:  ruleGrowth,
		Title: "a map or slice only grows",
		Doc: `Looks for memory that stays: live bytes that grow from one heap profile to the next, or of which most is still
alive where there is one profile. The owner is the map or slice of longer life that the line, or a line of a function on the same call path,
adds to, where no code of the package takes from it. It is wrong where what is
kept is what the program is for, or the program is still filling what it needs.`,
		Remedy: "Put a bound on it: a cache with a largest size and an age, or delete what is done with.",
		Example: `cache, err := lru.New[string, *Session](10_000) // hashicorp/golang-lru
if v, ok := cache.Get(key); ok {
	return v
}`,
		Risk:          "What is evicted has to be made again: choose the bound by the hit rate.",
		WithoutSource: "only what grows from one heap profile to the next, and not what keeps it",
		Find:          findGrowth,
	})
}

// holdsMuch is the share of the live heap from which on memory that stays is
// worth a finding.
const holdsMuch = 0.05

const (
	// hoardBytes is the least that memory that stays has to be where nothing
	// but its size or its growth speaks: every program has tables of a few
	// megabytes, and a pool fills.
	hoardBytes = 4 << 20
	// trifle is what is not worth a bound, whatever share of a tiny heap it is.
	trifle = 256 << 10
)

// owner is a line that adds to a map or slice of long life.
type owner struct {
	site  *Site // nil where the line itself has allocated nothing that was sampled
	file  string
	what  source.Allocation
	held  []*Site
	live  float64 // bytes
	share float64 // of the live heap
}

func findGrowth(e *Evidence) []Finding {
	var all []Finding
	for _, o := range e.owners() {
		if o.share < holdsMuch || o.live < trifle || o.what.Kind == "" && o.live < hoardBytes {
			continue
		}
		f := e.At(o.held[0])
		if o.site != nil {
			f = e.At(o.site)
		}
		f.CPU, f.Evidence = Range{}, nil
		f.Confidence = Medium
		growth := 0.0
		for _, s := range o.held {
			f.CPU.High = min(1, f.CPU.High+s.CPU.High/2)
			if s.Growth != nil {
				growth += s.Growth.PerHour
			}
		}
		f.Memory = Range{o.share / 4, o.share}
		f.Evidence = append(f.Evidence, Figure{"live", o.live, "bytes"}, Figure{"of the live heap", o.share, "fraction"})
		if growth != 0 {
			f.Evidence = append(f.Evidence, Figure{"growth", growth, "bytes/hour"})
			f.Confidence = High
		}
		if o.what.Kind == "" {
			f.Title = "memory that stays and grows"
			f.Confidence = Low
			if !o.held[0].own { // connections of a server, say: no line to change
				f.Title = "memory that stays and grows, allocated by libraries alone"
				f.File, f.Line, f.Source = "", 0, ""
			}
			all = append(all, f)
			continue
		}
		f.File, f.Line = o.file, o.what.Line
		f.Source, _ = e.Source.Line(f.File, f.Line)
		if fn, ok := e.Source.Function(f.File, f.Line); ok && o.site == nil {
			f.Function = fn.Name
		}
		f.Title = fmt.Sprintf("%s only grows", o.what.Target)
		if o.what.Shrinks {
			f.Title = fmt.Sprintf("%s grows, although code of the package takes from it", o.what.Target)
			f.Confidence = Low
		}
		if o.what.Kind == source.Append {
			f.Remedy = "Keep the last so many only: a ring, or copy what is needed into a new slice and drop the old one."
			f.Example = "if len(s.items) == cap(s.items) {\n\tcopy(s.items, s.items[1:])\n\ts.items = s.items[:len(s.items)-1]\n}"
		}
		all = append(all, f)
	}
	return all
}

// owners finds for every site whose memory stays the line that keeps it.
func (e *Evidence) owners() []*owner {
	leaks := e.leaks()
	var all []*owner
	for i := range e.Sites {
		s := &e.Sites[i]
		// Growth that was not seen needs more than a start-up table's bytes.
		if s.Memory.High < 0.01 || !e.stays(s) || len(e.Heaps) < 2 && s.Live.Bytes < hoardBytes {
			continue
		}
		if _, part, _ := e.partOf(s); part.Kind != "" {
			continue // what keeps it is a part: see the rule for that
		}
		if slices.ContainsFunc(leaks, func(w *waiting) bool { return (len(w.counts) == 1 || w.grows()) && e.holds(w, s) }) {
			continue // goroutines keep it
		}
		file, what := e.keeper(s)
		if what.Kind == "" && len(e.Heaps) < 2 {
			continue // live, and nothing says that it should not be
		}
		j := slices.IndexFunc(all, func(o *owner) bool { return o.what.Kind != "" && o.file == file && o.what.Position == what.Position })
		if j < 0 {
			all = append(all, &owner{file: file, what: what})
			j = len(all) - 1
		}
		o := all[j]
		if s.File == file && s.Line == what.Line {
			o.site = s
		}
		o.held = append(o.held, s)
		o.live += s.Live.Bytes
		o.share = min(1, o.share+s.Memory.High)
	}
	return all
}

// keeper returns the insert or append, into what outlives its function, that
// most likely keeps what a site allocates: in its line, otherwise in a function
// on its path or called by one, the innermost first, or in what the line calls.
// What only grows goes before what also shrinks.
func (e *Evidence) keeper(s *Site) (file string, a source.Allocation) {
	for _, shrinks := range []bool{false, true} {
		for _, a := range e.Source.Allocations(s.File, s.Line) {
			if keeps(a, shrinks) {
				return s.File, a
			}
		}
		for i, f := range s.Path {
			if i == outward {
				break
			}
			for _, a := range e.Source.Within(f.File, f.Line) {
				if keeps(a, shrinks) {
					return f.File, a
				}
				if a.Kind != source.Call || a.Callee == "" {
					continue
				}
				for _, b := range e.Source.Of(a.Callee) {
					if keeps(b, shrinks) {
						return b.File, b
					}
				}
			}
		}
	}
	for _, a := range e.reach(s.File, s.Line) {
		if keeps(a, false) {
			return a.File, a
		}
	}
	return "", source.Allocation{}
}

func keeps(a source.Allocation, shrinks bool) bool {
	return (a.Kind == source.MapInsert || a.Kind == source.Append && !a.Sized) && a.Outlives && a.Shrinks == shrinks
}
