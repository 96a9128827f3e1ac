package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

func init() {
	register(Rule{
		Name:  ruleArena,
		Title: "many short-lived objects",
		Doc: `Looks for objects of which next to nothing survives and that no other rule has a remedy for, by survival and
the call paths. It names the function where an arena should begin and end: the lowest common ancestor, by call
path, that holds most of the objects, is not one of a recursion and does not hand the objects to its caller, as far
as the compiler's reasons tell. It is wrong where objects are handed on to what outlives that function.`,
		Remedy: "Allocate from an arena that begins and ends in the function that the work belongs to, or use the objects again.",
		Example: `func handle(r *Request) Response {
	a := pool.Get() // of var pool arena.Pool; or arena.NewArena()
	defer a.Free()
	n := arena.New[Node](a) // instead of &Node{}
	…
}`,
		Risk:          "What is kept of the arena's objects after its end must be cloned first; run the tests with -race, which reports uses after Free.",
		WithoutSource: "where to begin by the call paths alone, not whether objects are handed on, and takes some buffers for objects",
		Find:          findArenas,
	})
}

// shortLived is the share of objects that may survive where an arena is
// proposed: they live for one call, and a profile sees some calls in the middle.
const shortLived = 0.1

// arenaHolds is the share of the objects that "most" of them is.
const arenaHolds = 0.6

func findArenas(e *Evidence) []Finding {
	var left []cause
	for _, c := range e.of(ruleArena) {
		if c.Alloc.Bytes == 0 && len(e.Heaps) > 0 {
			continue // too little for a heap profile to have seen it
		}
		if c.Live.Bytes <= c.Alloc.Bytes*shortLived {
			left = append(left, c)
		}
	}
	var all []Finding
	for range 5 { // programs have few places where an arena would begin
		a, rest := e.arena(left)
		if len(a.causes) == 0 {
			break
		}
		left = rest
		if f := e.proposeArena(a); f.worthNaming() {
			all = append(all, f)
		}
	}
	return all
}

// arena is a function and what would be allocated from its arena.
type arena struct {
	root   Frame
	causes []cause
	share  float64 // of all objects looked at
}

// arena finds the lowest function that holds most of what the causes allocate,
// and returns the causes that are not below it.
func (e *Evidence) arena(causes []cause) (found arena, rest []cause) {
	type node struct {
		Frame
		held  float64
		depth int // distance from the objects; the smaller the lower
		sites map[*Site]bool
	}
	nodes := map[string]*node{}
	total := 0.0
	for _, c := range causes {
		for _, stack := range c.site.stacks {
			if size := e.size(e.Of(stack)); size > 0 {
				total += size
				for depth, f := range e.roots(c.site, e.frames(stack)) {
					n := nodes[f.Function]
					if n == nil {
						n = &node{Frame: f, sites: map[*Site]bool{}}
						nodes[f.Function] = n
					}
					n.held += size
					n.depth = max(n.depth, depth)
					n.sites[c.site] = true
				}
			}
		}
	}
	var best *node
	for _, n := range nodes {
		if n.held < arenaHolds*total {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(n.depth, best.depth), cmp.Compare(best.held, n.held), cmp.Compare(n.Function, best.Function)) < 0 {
			best = n
		}
	}
	if best == nil {
		return arena{causes: causes[:min(1, len(causes))]}, causes[min(1, len(causes)):]
	}
	found = arena{root: best.Frame, share: best.held / total}
	for _, c := range causes {
		if best.sites[c.site] {
			found.causes = append(found.causes, c)
		} else {
			rest = append(rest, c)
		}
	}
	return found, rest
}

// frames returns a stack's frames, the leaf first.
func (e *Evidence) frames(stack profile.StackID) []Frame {
	var all []Frame
	for f := range e.Dict.Frames(stack) {
		fn := e.Dict.Function(f.Function)
		all = append(all, Frame{fn.Name, fn.File, int(f.Line.Line)})
	}
	return all
}

// roots returns the functions of a path where an arena for what the site
// allocates could begin, the innermost first: from the site outward, without
// recursive functions, those that return the object, and the runtime's.
func (e *Evidence) roots(s *Site, path []Frame) []Frame {
	calls := map[string]int{}
	for _, f := range path {
		calls[f.Function]++
	}
	i := slices.IndexFunc(path, func(f Frame) bool { return f == s.Frame })
	if i < 0 {
		return nil
	}
	var all []Frame
	for ; i < len(path); i++ {
		f := path[i]
		if ofRuntime(f.Function) {
			break
		}
		if !e.own(f) {
			continue // an arena cannot begin in a library
		}
		if calls[f.Function] > 1 || len(all) == 0 && e.handsOut(f, f == s.Frame) {
			continue
		}
		all = append(all, f)
	}
	return all
}

// handsOut says whether an object lives on when the function that made it, or
// called what made it, ends: the compiler says that it is returned or stored in
// what was given to the function; its caller returns what it was handed.
func (e *Evidence) handsOut(f Frame, makes bool) bool {
	if fn, ok := e.Source.Function(f.File, f.Line); ok && !makes {
		text, _ := e.Source.Line(f.File, f.Line)
		return fn.Returns && strings.HasPrefix(text, "return ")
	}
	for _, x := range e.Source.Escapes(f.File, f.Line) {
		for _, step := range x.Flow {
			if strings.Contains(step, "(return)") {
				return true
			}
		}
		to, _, _ := strings.Cut(x.Reason, " = ")
		if strings.HasPrefix(x.Reason, "stored by ") && strings.ContainsAny(to, ".[*") {
			return true
		}
	}
	return false
}

func (e *Evidence) proposeArena(a arena) Finding {
	slices.SortStableFunc(a.causes, func(x, y cause) int { return cmp.Compare(e.size(y.Weight), e.size(x.Weight)) })
	f := e.propose(&a.causes[0], 0.6, 1)
	sum := a.causes[0].Weight
	for _, c := range a.causes[1:] {
		g := e.propose(&c, 0.6, 1)
		f.CPU, f.Memory, f.share = f.CPU.Plus(g.CPU), f.Memory.Plus(g.Memory), f.share+g.share
		sum.add(c.Weight)
	}
	whole := cause{Weight: sum}
	f.Evidence = append(whole.figures(), Figure{"allocating lines", float64(len(a.causes)), "count"})
	f.Title = "many short-lived objects"
	if what := a.causes[0].what.Text; what != "" {
		f.Title = "many short-lived objects: " + what
	}
	if a.root.Function == "" {
		f.Confidence = Low
		return f
	}
	f.Root = &a.root
	name := shortName(a.root.Function)
	f.Title += ", made under " + name
	f.Remedy = fmt.Sprintf("Begin an arena in %s, through which %.0f %% of them are made, and release it where it returns; or use the objects again.",
		name, a.share*100)
	if f.Confidence == Low {
		f.Confidence = Medium
	}
	return f
}
