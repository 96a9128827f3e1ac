package diagnose

import "fmt"

func init() {
	register(Rule{
		Name:  ruleBoxing,
		Title: "a value is put into an interface",
		Doc: `Looks for conversions of values to interfaces, by the line's syntax and runtime.convT in CPU samples. An
interface holds one pointer; any other value is copied to the heap for it. It is wrong where the interface is kept
and the value would be on the heap in any case.`,
		Remedy: "Use the type itself, or a type parameter, where the interface is only passed through; hand over a pointer to what is on the heap already.",
		Example: `// before: func Push(h *Heap, x any)
func Push[T any](h *Heap[T], x T)`,
		Risk:          "Low. A type parameter changes the function's signature.",
		WithoutSource: sampledCalls,
		Find: fromCauses(ruleBoxing, 0.6, 1, func(e *Evidence, c *cause, f *Finding) {
			if c.what.Type != "" {
				f.Title = fmt.Sprintf("%s of type %s is put into an interface", c.what.Text, c.what.Type)
			}
		}),
	})
}
