package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

// recipient returns the first call that gives a site's objects, or a part of them, to a dependency.
func recipient(e *evidence.Evidence, s *evidence.Site) (call flow.Recipient, ok bool) {
	for _, root := range slices.Backward(s.Callers()) {
		if !e.Owns(root) {
			continue
		}
		made := flow.Made{Place: source.Place(s.Frame)}
		if all := e.Flow.Recipients(source.Place(root), made); len(all) > 0 {
			return all[0], true
		}
	}
	return flow.Recipient{}, false
}

// holderInLibrary is the remedy for memory that no container of the program is known to hold.
func holderInLibrary(e *evidence.Evidence, call flow.Recipient) string {
	text := fmt.Sprintf("No container of the program was found that it flows to, but the library %s gets it, or a part "+
		"of it: %s. If the library keeps that, as an entry, a name, a label or a listener, remove it there when it is "+
		"no longer needed, or bound how many there are. A string or slice that is a part of a whole keeps all of it: "+
		"hand over a copy (strings.Clone, bytes.Clone).", profile.PackageOf(call.To), nameOf(call))
	if of, names := e.Source.Bounds(call.To); len(names) > 0 {
		text += fmt.Sprintf(" %s has %s.", of, strings.Join(names, ", "))
	}
	return text
}

// keptByLibrary is a sentence about memory that the program removes from its own container.
func keptByLibrary(call flow.Recipient) string {
	return fmt.Sprintf(" If all is removed in time, the library %s may keep it: %s gets a pointer to it. Look "+
		"for an option of the library that bounds or turns off what it remembers, or for a newer version.",
		profile.PackageOf(call.To), nameOf(call))
}

// nameOf names the function of a call and its line.
func nameOf(call flow.Recipient) string {
	at := source.Position{File: call.File, Line: call.Line}
	return fmt.Sprintf("%s (%s)", profile.ShortName(call.To), finding.FileAndLine(at))
}
