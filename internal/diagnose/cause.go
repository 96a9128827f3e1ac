package diagnose

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// cause is a part of what a site allocates and why it does. The parts of a site
// are disjoint, and each is of one rule: so two rules never promise the same
// saving.
type cause struct {
	Weight
	site   *Site
	rule   string
	callee string            // the function that it is allocated through; "" if by the line itself
	what   source.Allocation // the syntax, if by the line itself; the zero value where that is not known
	sure   Confidence
}

// worthALook is the ceiling below which a site is not looked into: half a
// percent is less than a comparison can prove.
const worthALook = 0.005

// worthNaming is the share of all bytes allocated from which on a cause is
// named where no CPU profile says what it costs.
const worthNaming = 0.05

// shareOf returns the part of all bytes allocated.
func (e *Evidence) shareOf(a Amount) float64 {
	total := 0.0
	for i := range e.Sites {
		total += e.Sites[i].Alloc.Bytes
	}
	return a.Bytes / max(total, 1)
}

// size returns what causes are compared by: their CPU time, or without a CPU
// profile their bytes.
func (e *Evidence) size(w Weight) float64 {
	if e.CPU == nil {
		return w.Alloc.Bytes
	}
	return w.Saves.High
}

// explain finds the causes of all sites that are worth it, once.
func (e *Evidence) explain() []cause {
	if e.causes == nil {
		e.causes = []cause{}
		for i := range e.Sites {
			s := &e.Sites[i]
			if !s.own {
				continue // no line of the program's own is on the path: nothing there to change
			}
			if max(s.CPU.High, s.Memory.High) >= worthALook || e.CPU == nil && e.shareOf(s.Alloc) >= worthNaming {
				e.causes = append(e.causes, e.explainSite(s)...)
			}
		}
	}
	return e.causes
}

// of returns the causes of a rule.
func (e *Evidence) of(rule string) []cause {
	var all []cause
	for _, c := range e.explain() {
		if c.rule == rule {
			all = append(all, c)
		}
	}
	return all
}

// explainSite sorts a site's stacks by what the line calls. What goes through a
// library function that a rule knows is that rule's; what the line allocates
// itself is told apart by its syntax and by the runtime's functions.
func (e *Evidence) explainSite(s *Site) []cause {
	through := map[string]*cause{}
	var order []string
	direct := direct{byKind: map[source.Kind]Weight{}}
	for _, stack := range s.stacks {
		below := e.below(s, stack)
		if slices.ContainsFunc(below, ofProfiler) {
			continue
		}
		w := e.Of(stack)
		rule, callee := libraryRule(below)
		if rule == "" && len(below) > 0 && !ofRuntime(below[0]) {
			rule, callee = ruleLibrary, below[0]
		}
		switch {
		case rule != "":
			c := through[rule+callee]
			if c == nil {
				c = &cause{site: s, rule: rule, callee: callee, sure: High}
				through[rule+callee] = c
				order = append(order, rule+callee)
			}
			c.add(w)
		default:
			direct.add(w, below)
		}
	}
	var all []cause
	for _, key := range order {
		all = append(all, *through[key])
	}
	return e.merge(append(all, e.explainDirect(s, direct, len(all) > 0)...))
}

// below returns the names of a stack's frames below the site, the outermost first.
func (e *Evidence) below(s *Site, stack profile.StackID) []string {
	var names []string
	for f := range e.Dict.Frames(stack) {
		if e.isAt(f, s.Frame) {
			break
		}
		names = append(names, e.Dict.FunctionName(f.Function))
	}
	slices.Reverse(names)
	return names
}

func ofRuntime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/runtime/") ||
		strings.HasPrefix(function, "gcWriteBarrier")
}

// ofProfiler says whether a function takes profiles: what that allocates is not
// the program's.
func ofProfiler(function string) bool {
	return strings.HasPrefix(function, "runtime/pprof.") || strings.HasPrefix(function, "net/http/pprof.")
}

// churns says whether next to nothing survives of what the cause allocates:
// memory that could be used again. It holds where survival is not known.
func (c *cause) churns() bool {
	return c.Alloc.Bytes == 0 || c.Live.Bytes < c.Alloc.Bytes/2
}
