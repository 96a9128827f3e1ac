package rules

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var appendWithoutRoom = &finding.Rule{
	Name:  "append-without-room",
	Title: "a slice grows by append without room",
	Doc: `Finds append to a slice that was made without capacity, and strings.Builder without Grow: by the line's syntax,
and by runtime.growslice in CPU samples. Growing to n elements allocates about 2n to 3n and copies as much. It is
wrong if the length is not known beforehand. Using one slice again helps then.`,
	Remedy: "Make the slice with the capacity that is known. Where nothing keeps it, it can start again at [:0].",
	Example: `out := make([]T, 0, len(in))
for _, x := range in {
	out = append(out, f(x))
}`,
	Risk:          "Low. A guess that is far too large costs memory.",
	WithoutSource: finding.SampledCalls,
	Callees:       []string{"strings.(*Builder).Write"},
	Claims: func(_ *evidence.Evidence, _ *evidence.Site, x evidence.Expression) finding.Claim {
		return finding.ClaimIf(x.Kind == source.Append && !x.Sized)
	},
	Survivors: true,
	Saves:     evidence.Range{Low: 0.4, High: 0.9},
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		a := c.Expression
		if c.Callee != "" && wroteOnce(e, c.Site) {
			f.Title = "text is copied into a strings.Builder"
			f.Remedy = "The builder is written once, so that it is made in the right size: Grow would save nothing. " +
				"Only a copy less does: return the text that is there, or let the caller read the bytes."
			f.Example = "func decode(r *bytes.Reader) (Item, error) // instead of decode(text string)"
			f.CPU.Low, f.Confidence = 0, evidence.Low
			return
		}
		if c.Callee != "" {
			f.Title = "a strings.Builder grows without Grow"
			f.Remedy = "Call Grow with the length to be expected before the first write."
			f.Example = "var b strings.Builder\nb.Grow(n)"
			return
		}
		if a.Target != "" {
			f.Title = fmt.Sprintf("%s grows by append without room", a.Target)
		}
		if a.Room == "" || a.Type == "" {
			f.CPU.Low /= 2 // the number of elements may not be known
		}
	},
}

// wroteOnce reports whether a site fills a strings.Builder by one write.
func wroteOnce(e *evidence.Evidence, s *evidence.Site) bool {
	return slices.ContainsFunc(e.Source.Allocations(s.File, s.Line), func(a source.Allocation) bool {
		return a.SoleWrite && finding.HasPrefix(a.Callee, singleWrites)
	})
}

// singleWrites write all that they are given at once.
var singleWrites = []string{
	"strings.(*Builder).Write", "bytes.(*Reader).WriteTo", "bytes.(*Buffer).WriteTo", "strings.(*Reader).WriteTo", "fmt.Fprint",
}
