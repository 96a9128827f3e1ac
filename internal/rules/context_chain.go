package rules

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var contextChain = &finding.Rule{
	Name:  "context-chain",
	Title: "each context is made from the last one",
	Doc: `Finds lines that assign context.WithValue, WithCancel and their like of a context, or any function that takes
and returns one, to the same place, which is declared outside of the loop or lives longer than the function: by the
source. Each context keeps the one that it is made from, so the chain grows with every round, and each lookup of a value
and each cancellation walks it. The evidence is the CPU time of lookups and the live memory of the line. It is wrong if
the line runs only a few times.`,
	Remedy:      "Make each round's or call's context from the one outside, in a new variable in the loop or function.",
	Example:     "for m := range messages {\n\tctx := context.WithValue(ctx, key, m.ID) // := makes a new variable in each round\n\thandle(ctx, m)\n}",
	Risk:        "Low. Values of earlier rounds are no longer found in the context.",
	NeedsSource: true,
	Find:        findContextChain,
}

func isContext(typeName string) bool { return typeName == "context.Context" }

// walked are the functions of package context that walk a chain of contexts.
var walked = []string{"context.value", "context.(*valueCtx)", "context.parentCancelCtx", "context.propagateCancel"}

// below reports whether a site allocates below a call.
func below(s *evidence.Site, call *source.Allocation) bool {
	return slices.ContainsFunc(s.Path, func(f evidence.Frame) bool {
		return f.Line == call.Line && f.File == call.File
	})
}

func findContextChain(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	walking := 0.0
	if e.CPU != nil {
		for _, stack := range e.CPU.Stacks {
			for _, f := range e.Frames(stack) {
				if finding.HasPrefix(f.Function, walked) {
					walking += e.Of(stack).CPU
					break
				}
			}
		}
	}
	var all []finding.Finding
	for _, a := range e.Source.Chains(isContext) {
		if strings.HasSuffix(a.File, "_test.go") {
			continue
		}
		f := finding.Finding{File: a.File, Line: a.Line, Function: a.In(), CPU: evidence.Range{Low: walking / 2, High: walking},
			Confidence: evidence.Medium, Exact: true, Evidence: []finding.Figure{{Name: "CPU time walking contexts", Value: walking, Unit: "fraction"}}}
		live := 0.0
		for i := range e.Sites {
			s := &e.Sites[i]
			if !s.Own || s.Growth.Steady() {
				continue
			}
			if !below(s, &a) {
				continue
			}
			live += s.Live.Bytes
			f.Memory.High += s.Memory.High
			f.Path = s.Path
			if s.Growth.Grows() {
				f.Grows, f.Memory.Low = true, f.Memory.Low+s.Memory.High/4
			}
		}
		if walking < evidence.MinSaving && live < evidence.Negligible {
			continue
		}
		f.Evidence = append(f.Evidence, finding.Figure{Name: "live", Value: live, Unit: "bytes"})
		if walking >= 0.05 || f.Grows {
			f.Confidence = evidence.High
		}
		f.Memory.High = min(1, f.Memory.High)
		f.Source, _ = e.Source.Line(f.File, f.Line)
		all = append(all, f)
	}
	return all
}
