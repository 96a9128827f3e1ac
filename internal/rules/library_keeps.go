package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

// registered is the holder of objects one of whose methods a library gets.
var registered = &holder{
	title: "a library keeps a method of the object, and with it the object",
	remedy: "Remove the registration when the object is replaced or its use ends: unsubscribe, or call what the " +
		"registration returned. Or register once, for an object that stays, and let that one forward to the others.",
	example: "bus.Unsubscribe(topic, old.reset) // before old is replaced",
}

// registers matches functions that keep the functions which they get.
var registers = regexp.MustCompile(`\.(Subscribe|On|Once|Add|Register|Observe|Watch|Listen|Notify|Handle|Hook|Attach|Bind)[^.]*$`)

// registeredMethod returns the line that registers a method with a library, if a method of the same
// type has allocated a site's memory, directly or not.
func registeredMethod(e *evidence.Evidence, s *evidence.Site) (*holder, evidence.Frame) {
	for _, f := range s.Path {
		name, isMethod := strings.CutPrefix(source.NameInPackage(f.Function), "(*")
		name, _, _ = strings.Cut(name, ")")
		if !isMethod || !e.Owns(f) {
			continue
		}
		for _, a := range e.Source.Handed() {
			of, _, _ := strings.Cut(a.Owner, "[")
			if of == name && profile.PackageOf(a.In()) == profile.PackageOf(f.Function) && registers.MatchString(a.Callee) {
				return registered, evidence.Frame{Function: a.In(), File: a.File, Line: a.Line}
			}
		}
	}
	return nil, evidence.Frame{}
}

// inLibrary gives the growth of a library's own container a remedy: the program cannot change the
// container, but it may have to close or flush something, or to set a bound.
func inLibrary(e *evidence.Evidence, s *evidence.Site, f *finding.Finding) {
	i := slices.IndexFunc(s.Path, e.Owns)
	if i < 1 {
		return
	}
	call := s.Path[i-1].Function
	f.Change, f.Confidence = &s.Path[i], evidence.Medium
	f.Risk = "What is ended or dropped may still be needed."
	f.Example = "go doc " + profile.PackageOf(call)
	f.Remedy = fmt.Sprintf("The library keeps it, below %s: end there what the program has begun, or set a bound.",
		profile.ShortName(call))
	if of, names := e.Source.Bounds(call); len(names) > 0 {
		f.Remedy = fmt.Sprintf("The library keeps it, below %s. %s has %s: call them, or set them, so that what is old or "+
			"never completed goes.", profile.ShortName(call), of, strings.Join(names, ", "))
	}
	f.Remedy += " Or look for a newer version."
}
