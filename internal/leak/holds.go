package leak

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// Holds reports whether goroutines hold the memory of a site: it was allocated
// below the function that they began in, or by the function that started them, by
// its go statement or as its closure, main.serve.func1. Goroutines of a library hold
// what functions of its package allocate, for the program or for themselves.
func Holds(e *evidence.Evidence, p *evidence.WaitingPlace, s *evidence.Site) bool {
	if len(p.Path) == 0 {
		return false
	}
	if p.Library {
		if !s.Own && len(s.Path) > 0 && s.Path[len(s.Path)-1].Function == p.Function {
			return true // the goroutines' own, such as a server's connections
		}
		return !serves(p.Path) && !serves(s.Path) && Through(p, s)
	}
	root := p.Path[len(p.Path)-1].Function
	starter, _, _ := strings.Cut(root, ".func")
	if s.Function == root || s.Function == starter || len(s.Path) > 0 && s.Path[len(s.Path)-1].Function == root {
		return true
	}
	return slices.ContainsFunc(e.Source.Within(s.File, s.Line), func(a source.Allocation) bool {
		return a.Kind == source.Go && a.Callee == root
	})
}

// Through reports whether a function of the package of a library's goroutines is on the
// path of a site, within the program's line.
func Through(p *evidence.WaitingPlace, s *evidence.Site) bool {
	pkg := profile.PackageOf(p.Function)
	for _, f := range s.Path {
		switch {
		case profile.PackageOf(f.Function) == pkg:
			return true
		case s.Own && f == s.Frame, owner.OfRuntime(f.Function):
			return false
		}
	}
	return false
}
