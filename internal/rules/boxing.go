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
	},
}
