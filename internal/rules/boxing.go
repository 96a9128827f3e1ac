package rules

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/source"
)

var boxing = &Rule{
	Name:  "boxing",
	Title: "a value is put into an interface",
	Doc: `Finds conversions of values to interfaces: by the line's syntax, and by runtime.convT in CPU samples. An
interface holds one pointer, so any other value is copied to the heap. It is wrong if the interface is kept and the
value would be on the heap in any case.`,
	Remedy: "Use the type itself, or a type parameter, where the interface is only passed through; hand over a pointer to a value that is on the heap already.",
	Example: `// before: func Push(h *Heap, x any)
func Push[T any](h *Heap[T], x T)`,
	Risk:          "Low. A type parameter changes the function's signature.",
	WithoutSource: sampledCalls,
	Claims:        ofKinds(source.Boxing),
	Saves:         evidence.Range{Low: 0.6, High: 1},
	Work:          0.5,
	Words: func(e *evidence.Evidence, c *Cause, f *Finding) {
		if c.Expression.Type != "" {
			f.Title = fmt.Sprintf("%s of type %s is put into an interface", c.Expression.Text, c.Expression.Type)
		}
		if forVariadic(e, c.Site) {
			f.Remedy, f.Example, f.Risk = printLess, printLessExample, "Low."
		}
	},
}

// Functions that print take their values this way.
const (
	printLess = "If the call logs, ask first whether its level is enabled: its arguments are put on the heap even where it writes nothing. " +
		"Otherwise call it less often, with fewer values, or call a function that takes them by their types."
	printLessExample = `if logger.Enabled(ctx, slog.LevelDebug) {
	logger.DebugContext(ctx, "request", "method", r.Method)
}`
)

// forVariadic reports whether all that a line puts on the heap are values in
// interfaces and the slice that the compiler makes of them for a call.
func forVariadic(e *evidence.Evidence, s *evidence.Site) bool {
	boxed := map[string]bool{}
	for _, a := range e.Source.Allocations(s.File, s.Line) {
		if a.Kind == source.Boxing {
			boxed[a.Text] = true
		}
	}
	slices, values := 0, 0
	for _, x := range e.Source.Escapes(s.File, s.Line) {
		switch {
		case x.What == variadicSlice:
			slices++
		case boxed[x.What]:
			values++
		default:
			return false
		}
	}
	return slices > 0 && values > 0
}

// variadicSlice is the compiler's name for the slice of variadic arguments.
const variadicSlice = "... argument"
