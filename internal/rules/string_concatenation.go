package rules

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var stringConcatenation = &finding.Rule{
	Name:  "string-concatenation",
	Title: "strings are joined with +",
	Doc: `Finds + and += of strings: by the line's syntax, and by runtime.concatstrings in CPU samples. In a loop, each
s += x copies all of s again. It is wrong if the result is kept for long: it has to be allocated anyway.`,
	Remedy: "Write the parts where they go, or into one buffer: a strings.Builder with Grow, or append to a reused []byte.",
	Example: `var b strings.Builder
b.Grow(len(parts) * 16)           // the usual length
for _, p := range parts {
	b.WriteString(p)
}
return b.String()`,
	Risk:          "Low.",
	WithoutSource: finding.SampledCalls,
	Claims:        finding.OfKinds(source.Concat),
	Saves:         evidence.Range{Low: 0.5, High: 1},
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		if c.Expression.InLoop && c.Expression.Target != "" {
			f.Title = "a string grows by + in a loop: " + c.Expression.Target
		} else if e.Source != nil && c.Expression.Target == "" {
			f.Remedy, f.Example = oneSum, oneSumExample
		}
	},
}

// A sum in one expression is one allocation, and a strings.Builder needs as many.
const (
	oneSum        = "Write the parts where they go, or append them to reused bytes, so that no string is made. A strings.Builder saves nothing here: + allocates once."
	oneSumExample = "buf = append(append(buf[:0], path...), '/')\nio.WriteString(w, path) // where the string would only be written"
)
