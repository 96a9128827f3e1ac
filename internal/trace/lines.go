package trace

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Bounds of the memory for names, far beyond the need of real programs.
const (
	maxLines    = 1 << 16
	maxWaiters  = 1 << 12
	maxName     = 1 << 10 // bytes of a name that are kept
	othersTitle = "(others)"
)

// lines are the lines that allocate, numbered as they come.
type lines struct {
	all     []Line
	numbers map[[2]Place]int32
	// seen are the stacks of the present generation: a stack is valid, and equal to
	// another, within one.
	seen map[trace.Stack]int32
}

func newLines() *lines {
	l := &lines{numbers: map[[2]Place]int32{}, seen: map[trace.Stack]int32{}}
	l.number([2]Place{{Function: othersTitle}})
	return l
}

// of returns the number of the line that a stack was at. Stacks that are not known have
// the number of the others.
func (l *lines) of(s trace.Stack) int32 {
	if s == trace.NoStack {
		return 0
	}
	n, ok := l.seen[s]
	if !ok {
		n = l.number(places(s))
		l.seen[s] = n
	}
	return n
}

func (l *lines) number(at [2]Place) int32 {
	if n, ok := l.numbers[at]; ok {
		return n
	}
	if len(l.all) >= maxLines {
		return 0
	}
	n := int32(len(l.all))
	line := Line{Place: at[0]}
	if at[1] != (Place{}) && at[1] != at[0] {
		line.Own = &at[1]
	}
	l.all = append(l.all, line)
	l.numbers[at] = n
	return n
}

// places returns the innermost frame of a stack outside the runtime, and the
// innermost of the program's own module, by names and files.
func places(s trace.Stack) (at [2]Place) {
	for f := range s.Frames() {
		if owner.OfRuntime(f.Func) && at[0] != (Place{}) {
			continue
		}
		place := Place{Function: name(f.Func), File: name(f.File), Line: int(min(f.Line, math.MaxInt32))}
		if at[0] == (Place{}) || owner.OfRuntime(at[0].Function) {
			at[0] = place // a stack within the runtime has its innermost frame
		}
		if owner.Of(f.Func, f.File) == owner.Program {
			at[1] = place
			break
		}
	}
	return at
}

// name keeps a bounded copy of a name, so that the trace's tables can go, and
// makes it harmless to show.
func name(s string) string { return strings.Clone(termtext.Harmless(s[:min(len(s), maxName)])) }

// costliest returns the lines that paid, the most expensive first.
func (l *lines) costliest(paid map[int32]int64) []Line {
	all := []Line{}
	for i, line := range l.all {
		line.InTail = paid[int32(i)]
		if line.Assist+line.Sweep > 0 {
			all = append(all, line)
		}
	}
	slices.SortStableFunc(all, func(a, b Line) int { return cmp.Compare(b.Assist+b.Sweep, a.Assist+a.Sweep) })
	return all
}

// Title names the line that the program's authors would change: "main.render
// render.go:42 (in bytes.growSlice)".
func (l *Line) Title() string {
	if l.Own == nil {
		return l.Place.String()
	}
	return l.Own.String() + " (in " + profile.ShortName(l.Function) + ")"
}

// String names a place by the end of its path: "main.render render.go:42".
func (p Place) String() string {
	if p.File == "" {
		return p.Function
	}
	return fmt.Sprintf("%s %s:%d", profile.ShortName(p.Function),
		path.Base(strings.ReplaceAll(p.File, `\`, "/")), p.Line)
}
