package trace

import (
	"math"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/heapwright/heapwright/internal/owner"
)

// forcedAt returns the line that asks for the collection that begins with this stack:
// the innermost of the program or, without one, the innermost outside the runtime. It
// returns nil for collections that the runtime begins, because of an allocation or by
// the clock.
func forcedAt(s trace.Stack) *Place {
	var at *Place
	forced := false
	for f := range s.Frames() {
		forced = forced || f.Func == "runtime.GC"
		if !forced || owner.OfRuntime(f.Func) || strings.HasPrefix(f.Func, "runtime/debug.") {
			continue
		}
		own := owner.Of(f.Func, f.File) == owner.Program
		if own || at == nil {
			at = &Place{Function: name(f.Func), File: name(f.File), Line: int(min(f.Line, math.MaxInt32))}
		}
		if own {
			break
		}
	}
	return at
}

// Forced returns the number of collections that the program asked for, and the line
// that asked for most of them, nil without any.
func (d *Document) Forced() (n int, at *Place) {
	times := map[Place]int{}
	for _, c := range d.Cycles {
		if c.Forced == nil {
			continue
		}
		n++
		times[*c.Forced]++
		if at == nil || times[*c.Forced] > times[*at] {
			at = c.Forced
		}
	}
	return n, at
}
