package diagnose

import "github.com/heapwright/heapwright/internal/source"

const (
	// studied is how many sites' packages are compiled for their escape
	// reasons: the rest is below what is worth a change.
	studied = 200
	// outward is how many frames of a path rules look at: further out,
	// everything is on it.
	outward = 8
)

// places are the lines whose source is worth a look: sites, the functions on
// their paths, and where goroutines wait.
func (e *Evidence) places() []source.Place {
	seen := map[Frame]bool{}
	var all []source.Place
	add := func(path []Frame) {
		for _, f := range path[:min(len(path), outward)] {
			if own, known := e.Source.Owns(f.Function, f.File); own && known && !seen[f] && !injected(f.File) {
				seen[f] = true
				all = append(all, source.Place(f))
			}
		}
	}
	sites := 0
	for i := range e.Sites {
		s := &e.Sites[i]
		if sites < studied && (s.CPU.High >= worthALook || s.Memory.High >= worthALook || e.CPU == nil) {
			sites++
			add([]Frame{s.Frame})
			add(s.Path)
		}
	}
	for _, w := range e.leaks() {
		add(w.path)
	}
	return all
}
