package rules

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var closure = &finding.Rule{
	Name:  "closure",
	Title: "a closure is made on a hot path",
	Doc: `Finds function literals that capture variables, method values, and goroutines and defers in loops, if the
compiler puts them on the heap: by the line's syntax and the compiler's output. It is wrong if the function has to
outlive the call.`,
	Remedy: "Pass captured variables as arguments, make a method value once and keep it, and do deferred work in the loop's own function.",
	Example: `// before: each(rows, func(r row) { total += r.n })
for _, r := range rows {
	total += r.n
}
h := s.handle // once, not in every call`,
	Risk:          "Low.",
	WithoutSource: "only goroutines and defers that CPU samples show in the runtime's functions",
	Claims:        finding.OfKinds(source.Closure, source.MethodValue, source.Go, source.Defer),
	Saves:         evidence.Range{Low: 0.6, High: 1},
	Work:          0.5,
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		switch c.Expression.Kind {
		case source.Closure:
			if forCaller(e, c.Site, "func literal") {
				f.Remedy = "It is returned, so the caller needs it. Where it is the same in every call, make it once and keep it. Otherwise call the function less often, or keep its results."
				f.Example = "var always = func() bool { return true } // once, not in every call"
				f.CPU.Low, f.Confidence = 0, evidence.Low
			}
		case source.MethodValue:
			f.Title = "the method value " + c.Expression.Text + " is created again each time"
		case source.Go:
			f.Title = "a goroutine is started each time"
			f.Remedy = "Send the work over a channel to goroutines that run already."
			f.Example = "jobs := make(chan job)\nfor range runtime.GOMAXPROCS(0) {\n\tgo worker(jobs)\n}"
		case source.Defer:
			f.Title = "defer in a loop: each keeps its record until the function returns"
			f.Remedy = "Put the loop's body into a function of its own, or do the deferred work at its end."
			f.Example = "for _, f := range files {\n\tif err := one(f); err != nil { // defers within\n\t\treturn err\n\t}\n}"
		}
	},
}
