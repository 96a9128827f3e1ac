package diagnose

import "github.com/heapwright/heapwright/internal/source"

func init() {
	register(Rule{
		Name:  ruleClosure,
		Title: "a closure is made on a hot path",
		Doc: `Looks for function literals that capture variables, method values, goroutines and defers in loops that the
compiler puts on the heap, by the line's syntax and the compiler's word. It is wrong where the function has to
outlive the call.`,
		Remedy: "Pass what is captured as arguments, make a method value once and keep it, and do in the loop's own function what is deferred.",
		Example: `// before: each(rows, func(r row) { total += r.n })
for _, r := range rows {
	total += r.n
}
h := s.handle // once, not in every call`,
		Risk:          "Low.",
		WithoutSource: "only goroutines and defers that CPU samples show in the runtime's functions",
		Find: fromCauses(ruleClosure, 0.6, 1, func(e *Evidence, c *cause, f *Finding) {
			switch c.what.Kind {
			case source.MethodValue:
				f.Title = "the method value " + c.what.Text + " is made anew each time"
			case source.Go:
				f.Title = "a goroutine is started each time"
				f.Remedy = "Hand the work to goroutines that are there already, over a channel."
				f.Example = "jobs := make(chan job)\nfor range runtime.GOMAXPROCS(0) {\n\tgo worker(jobs)\n}"
			case source.Defer:
				f.Title = "defer in a loop: each keeps its record until the function returns"
				f.Remedy = "Put the loop's body into a function of its own, or do at its end what is deferred."
				f.Example = "for _, f := range files {\n\tif err := one(f); err != nil { // defers within\n\t\treturn err\n\t}\n}"
			}
		}),
	})
}
