package finding

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// withFields are the methods of loggers that return a logger with more fields.
var withFields = []string{
	"With", "WithGroup", "WithField", "WithFields", "WithError", "WithValues", "WithName", "WithPrefix", "WithOptions",
	"Named",
	"Logger", // zerolog's, at the end of With().Str(k, v)
}

// addLogger gives a finding at a line that keeps a logger with more fields in the place of
// the old one its title and remedy, whatever rule found its allocations.
func (f *Finding) addLogger(e *evidence.Evidence) {
	i := slices.IndexFunc(e.Source.Allocations(f.File, f.Line), func(a source.Allocation) bool {
		name := a.Callee[strings.LastIndexByte(a.Callee, '.')+1:]
		pkg := profile.PackageOf(a.Callee)
		return a.Chains && slices.Contains(withFields, name) && (strings.Contains(pkg, "log") || strings.Contains(pkg, "zap"))
	})
	if i < 0 {
		return
	}
	f.Title = "a logger gains fields with every call"
	f.Remedy = "Keep the logger with the new fields in a local variable, and leave the one that it is made from as it is: " +
		"each call adds to the fields of all calls before it, copies them, and every record has them all."
	f.Example, f.Prose = "log := s.log.With(\"id\", id) // := and not s.log =\nlog.Info(\"done\")", false
	f.Risk = "Low. Records of other calls no longer have these fields."
}
