package evidence

import (
	"cmp"
	"context"
	"slices"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

// resolve finds the modules of the functions that are not of the program's own. Its
// failure is a doubt, not an error.
func (b *builder) resolve(ctx context.Context) {
	seen := map[string]bool{}
	var packages []string
	for id := range b.owners.known {
		f := b.dict.Function(profile.FunctionID(id))
		if pkg := profile.PackageOf(f.Name); pkg != "" && !seen[pkg] && !owner.OfStandard(pkg) {
			seen[pkg] = true
			packages = append(packages, pkg)
		}
	}
	slices.Sort(packages)
	if err := b.Source.Resolve(ctx, packages); err != nil {
		b.note("the modules of the program could not be found: %v", err)
	}
}

// Foreign reports whether a function is of a module that the program depends on.
func (e *Evidence) Foreign(f Frame) bool {
	return ownerOf(e.Source, f.Function, f.File) == owner.Dependency
}

// Inner returns the lines of a dependency that allocate for a site, through a
// function, the heaviest first. It is the dependency that the site calls, or that
// the standard library calls for it. Allocations that it leaves to modules of its
// own count at its own innermost line. An empty function stands for all.
func (e *Evidence) Inner(s *Site, callee string) []Site {
	index := map[line]int{}
	var all []Site
	for _, stack := range s.Stacks {
		var within profile.Frame // innermost of the module
		through, module := callee == "", ""
		for _, f := range slices.Backward(e.below(s, stack)) { // the outermost first
			frame := e.frame(f)
			through = through || frame.Function == callee
			if !e.Foreign(frame) {
				continue
			}
			if name := e.moduleOf(frame); module == "" || name == module {
				module, within = name, f
			}
		}
		if !through || within.Function == 0 {
			continue
		}
		key := e.line(within)
		i, ok := index[key]
		if !ok {
			i = len(all)
			index[key] = i
			all = append(all, Site{key: key, Frame: e.frame(within)})
		}
		all[i].Stacks = append(all[i].Stacks, stack)
	}
	for i := range all {
		e.sum(&all[i])
	}
	slices.SortStableFunc(all, func(a, b Site) int { return cmp.Compare(e.Size(b.Sum), e.Size(a.Sum)) })
	return all
}

// below returns the frames of a stack that are below the site, the leaf first.
func (e *Evidence) below(s *Site, stack profile.StackID) []profile.Frame {
	var all []profile.Frame
	for f := range e.dict.Frames(stack) {
		if e.line(f) == s.key {
			break
		}
		all = append(all, f)
	}
	return all
}

// moduleOf names a dependency by its path, or where that is not known by the
// package's.
func (e *Evidence) moduleOf(f Frame) string {
	m, _, _ := e.Source.Dependency(f.Function, f.File)
	return cmp.Or(m.Path, profile.PackageOf(f.Function))
}

// sum gives a site the amounts and ceilings of its stacks.
func (e *Evidence) sum(s *Site) {
	heaviest := s.Stacks[0]
	for _, stack := range s.Stacks {
		w := e.weights[stack]
		s.charge.add(e.charges[stack])
		s.Alloc.add(w.Alloc)
		s.Live.add(w.Live)
		s.Sum.Add(w)
		if e.Size(w) > e.Size(e.weights[heaviest]) {
			heaviest = stack
		}
	}
	s.Recent, s.Total = s.Alloc, s.Sum.CPU
	s.CPU, s.Memory = e.model.ceiling(s.charge), e.model.memory(s.charge)
	for _, f := range e.Frames(heaviest) {
		if len(s.Path) > 0 || !owner.OfRuntime(f.Function) {
			s.Path = append(s.Path, f)
		}
	}
	s.Path = s.Path[:min(len(s.Path), maxPath)]
}
