//go:build arenadebug

package arena

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"
)

const debugging = true

type trace = *history

// A history holds the stacks that made and freed an arena.
type history struct {
	id         uint64
	made, gone []uintptr
	core       weak.Pointer[core]
}

// traces holds the traces of all arenas that were not freed.
var traces = struct {
	sync.Mutex
	last uint64
	live map[trace]bool
}{live: map[trace]bool{}}

func newTrace(c *core) trace {
	checkAll()
	t := &history{made: callers(), core: weak.Make(c)}
	traces.Lock()
	defer traces.Unlock()
	traces.last++
	t.id = traces.last
	traces.live[t] = true
	return t
}

// end records that the arena was freed.
func (t *history) end() {
	t.gone = callers()
	traces.Lock()
	defer traces.Unlock()
	delete(traces.live, t)
}

// String formats the history of the arena for a message.
func (t *history) String() string {
	return "\n\narena made at\n" + stack(t.made) + "\nfreed at\n" + stack(t.gone)
}

// Leaks returns the arenas that were never freed, oldest first. Known reports whether
// this build keeps account of them: only those with the tag arenadebug do.
func Leaks() (leaks []Leak, known bool) {
	checkAll()
	traces.Lock()
	defer traces.Unlock()
	var all []trace
	for t := range traces.live {
		all = append(all, t)
	}
	slices.SortFunc(all, func(x, y trace) int { return int(int64(x.id - y.id)) })
	for _, t := range all {
		l := Leak{Stack: stack(t.made)}
		if c := t.core.Value(); c != nil {
			s := c.stats()
			l.Bytes, l.Objects = s.Bytes, s.Objects
		}
		leaks = append(leaks, l)
	}
	return leaks, true
}

// callers returns the stack outside this package.
func callers() []uintptr {
	pcs := make([]uintptr, 32)
	return pcs[:runtime.Callers(2, pcs)]
}

// stack formats a stack as a goroutine's, without the frames of this package
// that users did not write.
func stack(pcs []uintptr) string {
	var b strings.Builder
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.File != "" && !ours(f) {
			fmt.Fprintf(&b, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
		}
		if !more {
			return b.String()
		}
	}
}

// ours reports whether f is inside this package, its tests excepted.
func ours(f runtime.Frame) bool {
	const name = "github.com/heapwright/heapwright/arena."
	return strings.HasPrefix(f.Function, name) && !strings.HasSuffix(f.File, "_test.go")
}
