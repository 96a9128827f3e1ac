package rules

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var boxing = &finding.Rule{
	Name:  "boxing",
	Title: "a value is put into an interface",
	Doc: `Finds conversions of values to interfaces: by the line's syntax, and by runtime.convT in CPU samples. An
interface holds one pointer, so any other value is copied to the heap. It is wrong if the interface is kept and the
value would be on the heap in any case.`,
	Remedy: "Use the type itself, or a type parameter, where the interface is only passed through; hand over a pointer to a value that is on the heap already.",
	Example: `// before: func Push(h *Heap, x any)
func Push[T any](h *Heap[T], x T)`,
	Risk:          "Low. A type parameter changes the function's signature.",
	WithoutSource: finding.SampledCalls,
	Claims:        finding.OfKinds(source.Boxing),
	Saves:         evidence.Range{Low: 0.6, High: 1},
	Work:          0.5,
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		if c.Expression.Type != "" {
			f.Title = fmt.Sprintf("%s of type %s is put into an interface", c.Expression.Text, c.Expression.Type)
		}
		switch {
		case forVariadic(e, c.Site):
			f.Remedy, f.Example, f.Risk = printLess, printLessExample, "Low."
		case c.Expression.Text != "" && forCaller(e, c.Site, c.Expression.Text):
			f.Remedy = "The function's result is an interface, so the value is put on the heap for the " +
				"caller. Where the result is often the same, as many errors are, " +
				"make it once and return it each time. Otherwise make the result the type itself."
			f.Example = "var errShort error = shortError{} // once, not in every call"
			f.Risk = "Low. Another result changes the function's signature."
			f.CPU.Low = 0 // callers may need the interface, and the values may all differ
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

// forCaller reports whether a line puts a value on the heap only because its function
// returns the value.
func forCaller(e *evidence.Evidence, s *evidence.Site, value string) bool {
	returned := false
	for _, x := range e.Source.Escapes(s.File, s.Line) {
		if x.What == strings.ReplaceAll(value, "{…}", "{...}") {
			if !strings.HasPrefix(x.Reason, "returned") {
				return false
			}
			returned = true
		}
	}
	return returned
}

// forVariadic reports whether a line puts only values in interfaces on the heap, and the slice
// that the compiler makes of them for a call. If the call keeps only the values, the slice may
// stay on the stack.
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
			if strings.Contains(x.Reason, variadicSlice) {
				slices++
			}
		default:
			return false
		}
	}
	return slices > 0 && values > 0
}

// variadicSlice is the compiler's name for the slice of variadic arguments.
const variadicSlice = "... argument"
