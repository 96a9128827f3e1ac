package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/check/placement"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/source/escape"
)

var shortLived = &finding.Rule{
	Name:  "short-lived",
	Title: "many short-lived objects",
	Doc: `Finds objects of which next to nothing survives and for which no other rule has a remedy: by survival and the
call paths. If the source shows that all of them die with a call, it names the function in which an arena should begin
and end: the lowest on the call path that holds most of the objects, is not part of a recursion and does not run as long
as the program. Otherwise it names the place that keeps them, or the code that may keep them and cannot be followed, and
proposes no arena. It is wrong if the objects are already as few as they can be.`,
	Remedy: "Make fewer or smaller objects: values instead of pointers, many at a time, and none that is not used.",
	Example: `func handle(r *Request) Response {
	a := pool.Get() // of var pool arena.Pool; or arena.NewArena()
	defer a.Free()
	n := arena.New[Node](a) // instead of &Node{}
	…
}`,
	Risk:          "What is kept of the arena's objects after its end must be cloned first; run the tests with -race, which reports uses after Free.",
	WithoutSource: "the cost of the objects, not whether anything keeps them, and takes some buffers for objects",
	Claims:        func(*evidence.Evidence, *evidence.Site, evidence.Expression) finding.Claim { return finding.AnyObject },
	Find:          findArenas,
}

// maxSurviving is the share of objects that may survive where an arena is
// proposed: they live for one call, and a profile sees some calls in the middle.
const maxSurviving = 0.1

// arenaSaves is the share of the objects' cost that an arena removes.
var arenaSaves = evidence.Range{Low: 0.6, High: 1}

// arenaHolds is the share of the objects that "most" of them is.
const arenaHolds = 0.6

func findArenas(e *evidence.Evidence, causes []finding.Cause) []finding.Finding {
	var left []finding.Cause
	for _, c := range causes {
		if c.Alloc.Bytes == 0 && len(e.Heaps) > 0 {
			continue // too little for a heap profile to have seen it
		}
		if c.Live.Bytes <= c.Alloc.Bytes*maxSurviving {
			left = append(left, c)
		}
	}
	left, variadic := apart(e, left)
	followed, kept := follow(e, left)
	var all []finding.Finding
	for range 5 { // programs have few places where an arena would begin
		a, rest := findRoot(e, followed)
		if len(a.causes) == 0 {
			break
		}
		followed = rest
		if f := proposeArena(e, a); f.Significant() {
			all = append(all, f)
		}
	}
	for _, c := range kept {
		if f := proposeFewer(e, c); f.Significant() {
			all = append(all, f)
		}
	}
	for _, c := range variadic {
		if f := proposeParameter(e, c); f.Significant() {
			all = append(all, f)
		}
	}
	return all
}

// apart separates the causes whose objects are slices that the compiler makes for
// the variadic arguments of a call: no arena can hold these.
func apart(e *evidence.Evidence, causes []finding.Cause) (others, variadic []finding.Cause) {
	for _, c := range causes {
		escapes := e.Source.Escapes(c.Site.File, c.Site.Line)
		other := func(x escape.Value) bool { return x.What != variadicSlice }
		if len(escapes) > 0 && !slices.ContainsFunc(escapes, other) || forVariadic(e, c.Site) {
			variadic = append(variadic, c)
		} else {
			others = append(others, c)
		}
	}
	return others, variadic
}

// proposeParameter is the remedy for slices of variadic arguments.
func proposeParameter(e *evidence.Evidence, c finding.Cause) finding.Finding {
	f := finding.Propose(e, &c, arenaSaves)
	f.Title = "a slice is made for the variadic arguments of each call"
	if c.Expression.Text != "" {
		f.Title += ": " + c.Expression.Text
	}
	if forVariadic(e, c.Site) {
		f.Remedy, f.Example, f.Risk = printLess, printLessExample, "Low."
		return f
	}
	f.Remedy = "Give the function a parameter of its own for the usual case, so that the compiler needs no slice; " +
		"or pass a slice that is made once, followed by three dots."
	f.Example = "func add(t *Tree, n *Node)               // instead of …*Node, where it is nearly always one\n" +
		"func addAll(t *Tree, all ...*Node)       // for the other callers"
	f.Risk = "Low. A slice that is passed again must not be kept or changed by the function."
	return f
}

// An object is a cause whose objects were followed.
type object struct {
	finding.Cause
	dies map[string]bool // whether they die with a call of the function
	kept flow.Fate       // the reason, where they do not die with any
}

// follow divides causes into those whose objects mostly die with a call of a
// function on their paths, and the others.
func follow(e *evidence.Evidence, causes []finding.Cause) (followed, kept []object) {
	for _, c := range causes {
		o := object{Cause: c, dies: map[string]bool{}}
		total, held := 0.0, 0.0
		for _, stack := range c.Site.Stacks {
			size := e.Size(e.Of(stack))
			total += size
			if size > 0 && len(o.roots(e, e.Frames(stack))) > 0 {
				held += size
			}
		}
		if held >= arenaHolds*total && held > 0 {
			followed = append(followed, o)
		} else {
			kept = append(kept, o)
		}
	}
	return followed, kept
}

// A region is a function with the causes whose objects would be in its arena.
type region struct {
	root   evidence.Frame
	causes []object
	share  float64 // share of all objects looked at
}

// findRoot finds the innermost function below which most of the causes allocate. It also
// returns the causes that are not below it.
func findRoot(e *evidence.Evidence, causes []object) (found region, rest []object) {
	type node struct {
		evidence.Frame
		held  float64
		depth int // distance from the objects; the smaller the lower
		sites map[*evidence.Site]bool
	}
	nodes := map[string]*node{}
	total := 0.0
	for _, c := range causes {
		for _, stack := range c.Site.Stacks {
			if size := e.Size(e.Of(stack)); size > 0 {
				total += size
				for depth, f := range c.roots(e, e.Frames(stack)) {
					n := nodes[f.Function]
					if n == nil {
						n = &node{Frame: f, sites: map[*evidence.Site]bool{}}
						nodes[f.Function] = n
					}
					n.held += size
					n.depth = max(n.depth, depth)
					n.sites[c.Site] = true
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
		return region{}, nil
	}
	found = region{root: best.Frame, share: best.held / total}
	for _, c := range causes {
		if best.sites[c.Site] {
			found.causes = append(found.causes, c)
		} else {
			rest = append(rest, c)
		}
	}
	return found, rest
}

// roots returns the functions of a path that could begin an arena for the objects, the
// innermost first. The objects must die with a call of the function. Recursive functions,
// functions that run as long as the program, and functions of libraries are left out.
func (o *object) roots(e *evidence.Evidence, path []evidence.Frame) []evidence.Frame {
	calls := map[string]int{}
	for _, f := range path {
		calls[f.Function]++
	}
	site := slices.IndexFunc(path, func(f evidence.Frame) bool { return f == o.Site.Frame })
	if site < 0 {
		return nil
	}
	i := site
	var all []evidence.Frame
	for n := 0; i+1 < len(path) && n < evidence.Outward && !owner.OfRuntime(path[i+1].Function); i++ {
		f := path[i]
		if !e.Owns(f) || strings.HasSuffix(f.File, "_test.go") {
			continue // an arena cannot begin in a library
		}
		n++
		if calls[f.Function] == 1 && (len(all) > 0 || o.diesIn(e, f) && o.followed(e, path[site:i+1])) {
			all = append(all, f)
		}
	}
	return all
}

// followed reports whether the flow of the objects includes the calls of a path.
func (o *object) followed(e *evidence.Evidence, path []evidence.Frame) bool {
	var places []source.Place
	for _, f := range path {
		places = append(places, source.Place(f))
	}
	if e.Flow.Follows(places) {
		return true
	}
	o.kept = flow.Fate{Kept: "it is made behind a call that cannot be followed to " + profile.ShortName(path[len(path)-1].Function), Unknown: true}
	return false
}

// diesIn reports whether the objects die with a call of a function. The last
// answer, of the outermost function, names their keeper best.
func (o *object) diesIn(e *evidence.Evidence, f evidence.Frame) bool {
	dies, asked := o.dies[f.Function]
	if !asked {
		fate := finding.FateWithin(e, &o.Cause, f)
		dies = fate.Dies
		o.dies[f.Function] = dies
		if !dies && !(o.kept.Unknown && strings.HasPrefix(fate.Kept, "the ")) { // such an answer says less than the last
			o.kept = fate
		}
	}
	return dies
}

func proposeArena(e *evidence.Evidence, a region) finding.Finding {
	slices.SortStableFunc(a.causes, func(x, y object) int { return cmp.Compare(e.Size(y.Weight), e.Size(x.Weight)) })
	f := finding.Propose(e, &a.causes[0].Cause, arenaSaves)
	sum := a.causes[0].Weight
	for _, c := range a.causes[1:] {
		g := finding.Propose(e, &c.Cause, arenaSaves)
		f.CPU, f.Memory, f.Share = f.CPU.Plus(g.CPU), f.Memory.Plus(g.Memory), f.Share+g.Share
		sum.Add(c.Weight)
	}
	whole := finding.Cause{Weight: sum}
	f.Evidence = append(whole.Figures(), finding.Figure{Name: "allocating lines", Value: float64(len(a.causes)), Unit: "count"})
	f.Title = shortLivedTitle(a.causes[0])
	f.Root = &a.root
	name := profile.ShortName(a.root.Function)
	if a.single() {
		f.Remedy = fmt.Sprintf("No arena: a call of %s makes one of them, and an arena is for many. Nothing keeps "+
			"it, so that it can be used again: take it from a sync.Pool, and put it back where %[1]s returns. It "+
			"costs nothing at all on the stack, where no interface, closure or recursion takes its address.", name)
		f.Example = poolOfObjects
		if a.causes[0].Expression.Kind == source.MakeSlice {
			f.Remedy = fmt.Sprintf("No arena: a call of %s makes one of them, and an arena is for many. "+
				"Nothing keeps it: let the caller pass it in, or keep it where "+
				"%[1]s finds it, to be filled again from [:0]. Up to a usual length an array "+
				"on the stack serves.", name)
			f.Example = "var few [16]T\nall := few[:0] // append moves it to the heap where it grows beyond 16"
		}
		f.Risk = "An object must not be used after it was put back, and must be reset before it is used again."
		return f
	}
	for _, c := range a.causes {
		at := c.Site.Frame
		f.Made = append(f.Made, placement.Place{File: e.Source.Local(at.Function, at.File), Line: at.Line, Column: c.Expression.Column})
	}
	f.Title += ", made under " + name
	again := "or use the objects again"
	if len(a.causes) == 1 && a.causes[0].Expression.Kind == source.MakeSlice {
		again = "or, if each is done with before the next is made, let " + name + " own one and pass it in, " +
			"to be filled again from [:0]"
	}
	f.Remedy = fmt.Sprintf("Begin an arena in %s, through which %s of them are made, and release it where it returns; %s.",
		name, format.RoughShare(a.share), again)
	if f.Confidence == evidence.Low {
		f.Confidence = evidence.Medium
	}
	return f
}

const poolOfObjects = `var visitors = sync.Pool{New: func() any { return new(visitor) }}

func count(t *Tree) int {
	v := visitors.Get().(*visitor)
	defer visitors.Put(v)
	*v = visitor{}
	walk(t, v)
	return v.count
}`

// single reports whether a call of the root makes only one object at each line.
func (r *region) single() bool {
	return !slices.ContainsFunc(r.causes, func(o object) bool {
		return o.Site.Function != r.root.Function || o.Expression.InLoop || o.Expression.Text == ""
	})
}

func shortLivedTitle(o object) string {
	if what := o.Expression.Text; what != "" {
		return "many short-lived objects: " + what
	}
	return "many short-lived objects"
}
