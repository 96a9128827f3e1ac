package rules

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/release"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var unreleased = &finding.Rule{
	Name:  "unreleased",
	Title: "a path does not release what a call has opened or registered",
	Doc: `Finds rows, transactions, statements, database handles, responses, contexts and context.AfterFunc registrations that
a path of the function neither releases nor hands on, by the source, where the memory of the line lives: at least 5% of the
live heap and does not stay the same. Where it grows, so does any value of a dependency with a method such as Close. Growth
raises the confidence. It is wrong if a function of a library releases the value.`,
	Remedy:      "Release it with defer, right after the error is checked.",
	Example:     "rows, err := db.QueryContext(ctx, query)\nif err != nil {\n\treturn err\n}\ndefer rows.Close()",
	Risk:        "Low.",
	NeedsSource: true,
	Find:        findUnreleased,
}

// releasable are the kinds of values whose memory stays until they are released.
var releasable = []release.Value{release.Rows, release.Tx, release.Conn, release.Stmt, release.DB, release.Response, release.Cancel, release.Cause, release.After}

// endings are the calls that release a value, by its type.
var endings = map[string]string{
	release.Rows.Type: "rows.Close()", release.Tx.Type: "tx.Rollback()", release.Conn.Type: "conn.Close()", release.Stmt.Type: "stmt.Close()",
	release.DB.Type: "db.Close()", release.Response.Type: "resp.Body.Close()", release.Cancel.Type: "cancel()", release.Cause.Type: "cancel(nil)",
	release.After.Type: "stop()",
}

// missedReleases returns the calls of the standard library whose value is not released on a path.
func missedReleases(e *evidence.Evidence) []release.Made {
	return slices.DeleteFunc(e.Releases().Unreleased(releasable...), func(m release.Made) bool { return !isMissed(&m) })
}

// isMissed reports whether a path of a call that is made again and again does not release its value.
func isMissed(m *release.Made) bool {
	return (len(m.Missed) > 0 || m.Dropped) && !m.Start && !m.OfTest()
}

// missedOfDependencies returns the calls of dependencies whose value is not released on a path, at
// lines of the program whose memory grows.
func missedOfDependencies(e *evidence.Evidence) []release.Made {
	var all []release.Made
	for i := range e.Sites {
		s := &e.Sites[i]
		inner := slices.Index(s.Path, s.Frame)
		if !s.Own || !s.Growth.Grows() || inner < 1 {
			continue
		}
		pkg := profile.PackageOf(s.Path[inner-1].Function)
		if owner.OfStandard(pkg) {
			continue
		}
		of := func(fn *types.Func) bool { return fn.Pkg() != nil && fn.Pkg().Path() == pkg }
		for _, m := range e.Releases().MadeBy(of, false) {
			if m.Line == s.Line && m.File == e.Source.Local(s.Function, s.File) && isMissed(&m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// madeBy reports whether the memory of a site is made by a call, or, for growth, beside it
// in its function, and returns the call's frame.
func madeBy(e *evidence.Evidence, s *evidence.Site, m *release.Made) (evidence.Frame, bool) {
	for _, f := range append([]evidence.Frame{s.Frame}, s.Path...) {
		if f.Line == m.Line && e.Source.Local(f.Function, f.File) == m.File {
			return f, true
		}
	}
	return evidence.Frame{Function: m.Function, File: m.File, Line: m.Line}, s.Growth.Grows() && s.Function == m.Function
}

// isMadeBy reports whether the memory of a site is made by one of some calls.
func isMadeBy(e *evidence.Evidence, s *evidence.Site, calls []release.Made) bool {
	return slices.ContainsFunc(calls, func(m release.Made) bool { _, ok := madeBy(e, s, &m); return ok })
}

func findUnreleased(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	var all []finding.Finding
	for _, m := range slices.Concat(missedReleases(e), missedOfDependencies(e)) {
		var f finding.Finding
		grows := false
		for i := range e.Sites {
			s := &e.Sites[i]
			at, ok := madeBy(e, s, &m)
			if !ok || s.Growth.Steady() {
				continue
			}
			f.File, f.Line, f.Function, f.Path = at.File, at.Line, at.Function, s.Path
			f.Memory.High = min(1, f.Memory.High+s.Memory.High)
			f.Held.Bytes, f.Held.Objects = f.Held.Bytes+s.Live.Bytes, f.Held.Objects+s.Live.Objects
			if s.Growth.Grows() {
				grows, f.Exact = true, true
				f.Evidence = append(f.Evidence, finding.Figure{Name: "growth", Value: s.Growth.PerHour, Unit: "bytes/hour"}, finding.Figure{Name: "at least", Value: s.Growth.Low, Unit: "bytes/hour"})
			}
		}
		if f.Memory.High < finding.MinHeld || f.Held.Bytes < evidence.Negligible {
			continue
		}
		f.Confidence = evidence.Medium
		if grows {
			f.Confidence, f.Memory.Low, f.Apart = evidence.High, f.Memory.High/4, true
		}
		f.Evidence = append([]finding.Figure{{Name: "live", Value: f.Held.Bytes, Unit: "bytes"}, {Name: "of the live heap", Value: f.Memory.High, Unit: "fraction"}}, f.Evidence...)
		f.Source, _ = e.Source.Line(f.File, f.Line)
		describeMissed(&f, &m)
		all = append(all, f)
	}
	return all
}

// describeMissed writes the text of a finding about a value that is not released.
func describeMissed(f *finding.Finding, m *release.Made) {
	with, known := endings[m.Type]
	if !known {
		with = "x." + m.Methods[0] + "()"
	}
	f.Example = "x, err := open()\nif err != nil {\n\treturn err\n}\ndefer " + strings.Replace(with, strings.SplitN(with, ".", 2)[0], "x", 1)
	if len(m.Methods) == 0 {
		f.Example = "stop := context.AfterFunc(ctx, f)\ndefer stop()"
	}
	if len(m.Missed) == 0 {
		f.Title = "what " + m.Text + " returns is dropped, and so never released"
		f.Remedy = "Keep what it returns and call " + with + " when the work is over: until then, what it " +
			"opened or registered stays."
		return
	}
	exit := m.Missed[0].Exit
	f.Change = &evidence.Frame{Function: exit.Function, File: exit.File, Line: exit.Line}
	leaves := finding.FileAndLine(source.Position{File: exit.File, Line: exit.Line})
	f.Title = fmt.Sprintf("%s leaves what %s returned unreleased", leaves, m.Text)
	f.Remedy = fmt.Sprintf("%s leaves without %s, so what %s opened or registered stays. defer %s, right after the error is checked.", leaves, with, m.Text, with)
}
