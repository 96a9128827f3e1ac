package rules

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/leak"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

// addStart moves a finding about memory that a library's goroutines allocate. If the line of
// the program that starts them is known, the finding goes there.
func addStart(f *finding.Finding, e *evidence.Evidence, o *grower) {
	started, ok := leak.StarterOf(e, o.held[0].Path)
	if !ok {
		return
	}
	f.Title = "memory grows in goroutines that " + started.Call + " starts"
	f.Remedy, f.Example, f.Prose, f.Escape = started.Remedy, "", true, ""
	if o.what.Kind != "" {
		f.Remedy += fmt.Sprintf(" There, %s grows (%s).", o.what.Target, finding.FileAndLine(o.what.Position))
	}
	if f.Confidence == evidence.High {
		f.Confidence = evidence.Medium // another line may start them as well
	}
	f.File, f.Line, f.Function = started.File, started.Line, started.Function
	f.Source, _ = e.Source.Line(f.File, f.Line)
}
