package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var retention = &finding.Rule{
	Name:  "retention",
	Live:  true,
	Title: "a small part keeps a large whole alive",
	Doc: `Finds large objects that stay alive although the function that made them keeps only a part, such as s[i:j] of a
slice or string that is stored or returned: by the size of the live objects and the syntax of the functions on the call
path. Their number need not grow. It is wrong if all parts of the whole are kept.`,
	Remedy: "Copy the part that is kept: strings.Clone, bytes.Clone or slices.Clone.",
	Example: `id := strings.Clone(line[:8]) // line can go
head := bytes.Clone(body[:64])`,
	Risk:        "Low. The copy is one small allocation.",
	NeedsSource: true,
	Find:        findRetention,
}

// largeWhole is the mean size in bytes from which on a copied part is certainly smaller than
// the whole.
const largeWhole = 512

func findRetention(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	var all []finding.Finding
	for i := range e.Sites {
		s := &e.Sites[i]
		if s.Memory.High < finding.MinHeld || s.Live.Bytes < finding.MinRetained && !(s.Retained && s.Live.Bytes > evidence.Negligible) {
			continue
		}
		file, a, function := partOf(e, s)
		if a.Kind == "" {
			continue
		}
		f := finding.FindingAt(e, s)
		f.File, f.Line, f.Function = file, a.Line, function
		f.Source, _ = e.Source.Line(file, a.Line)
		f.Title = fmt.Sprintf("%s, a part of %s, keeps the whole of it alive", a.Text, a.Target)
		if a.Line == s.Line && file == s.File {
			f.Title = "parts of " + a.Target + " are kept, and keep the whole of it alive"
		}
		if clone := cloneOf(a.Type); clone != "" {
			f.Remedy = "Copy the part that is kept: " + clone + "."
		}
		f.Memory = s.Memory.Times(0.5, 1)
		f.CPU = evidence.Range{High: s.CPU.High / 2}
		f.Confidence = evidence.Medium
		f.Evidence = []finding.Figure{{Name: "live", Value: s.Live.Bytes, Unit: "bytes"}, {Name: "mean size", Value: s.Live.Bytes / s.Live.Objects, Unit: "bytes"}}
		if s.Growth != nil {
			f.Evidence = append(f.Evidence, finding.Figure{Name: "growth", Value: s.Growth.PerHour, Unit: "bytes/hour"})
		}
		all = append(all, f)
	}
	return all
}

// cloneOf returns the function that copies a part of this type; "" if it is not known.
func cloneOf(kind string) string {
	switch {
	case kind == "string":
		return "strings.Clone"
	case kind == "[]byte":
		return "bytes.Clone"
	case strings.HasPrefix(kind, "[]"):
		return "slices.Clone"
	}
	return ""
}

// partOf returns the line that keeps a part of a site's objects, if the site
// allocates wholes. It looks in the site's function and in the next two outward,
// for parts of the variable that the line on the path gives its value, and in the
// functions that this line calls with the whole.
func partOf(e *evidence.Evidence, s *evidence.Site) (file string, a source.Allocation, function string) {
	if s.Live.Objects == 0 || s.Live.Bytes/s.Live.Objects < largeWhole {
		return "", source.Allocation{}, ""
	}
	depth := 0
	for _, f := range s.Path {
		if !e.Owns(f) {
			continue
		}
		for _, a := range e.Source.Within(f.File, f.Line) {
			switch {
			case a.Kind == source.Slicing && a.Made.Line == f.Line && isOf(a, s):
				return f.File, a, f.Function
			case a.Kind != source.Call || a.Callee == "" || a.Line != f.Line:
				continue
			}
			for _, b := range e.Source.Of(a.Callee) {
				parameter := b.Made.Line == 0 && !strings.Contains(b.Target, ".")
				if b.Kind == source.Slicing && parameter {
					return b.File, b, a.Callee
				}
			}
		}
		if depth++; depth == 3 {
			break
		}
	}
	return partsBelow(e, s)
}

// isOf reports whether a part may be of a site's objects: a library that hands out parts is the
// one that made the objects, and they are large.
func isOf(part source.Allocation, s *evidence.Site) bool {
	return part.Callee == "" || profile.PackageOf(part.Callee) == profile.PackageOf(s.Path[0].Function) &&
		s.Live.Bytes/s.Live.Objects >= largeText
}

// partsBelow finds text that a line makes and passes to functions that split it and keep parts
// in a map or slice that only grows.
func partsBelow(e *evidence.Evidence, s *evidence.Site) (file string, a source.Allocation, function string) {
	below := finding.Reach(e, s.File, s.Line)
	if !finding.TakesParts(below) || !slices.ContainsFunc(below, func(b source.Allocation) bool { return finding.Grows(b, false) }) {
		return "", source.Allocation{}, ""
	}
	for _, a := range e.Source.Allocations(s.File, s.Line) {
		if a.Kind == source.BytesToString {
			return s.File, source.Allocation{Position: a.Position, Kind: source.Slicing, Text: a.Text, Target: a.Text}, s.Function
		}
	}
	return "", source.Allocation{}, ""
}

// largeText is the mean size in bytes of texts that are hardly kept as a whole under a key.
const largeText = 8 << 10

// partWords says that a container may hold parts of the large texts that a site makes, if functions
// near it take parts of texts; "" otherwise. Which text a part is of is not followed.
func partWords(e *evidence.Evidence, s *evidence.Site) string {
	size := s.Live.Bytes / max(s.Live.Objects, 1)
	if size < largeText || !slices.ContainsFunc(s.Below, func(c evidence.Callee) bool { return finding.HasPrefix(c.Function, makersOfText) }) {
		return ""
	}
	for _, f := range s.Callers() {
		for _, call := range e.Source.Within(f.File, f.Line) {
			if call.Kind == source.Call && (source.Cuts(call.Callee) || finding.TakesParts(finding.Reach(e, f.File, call.Line))) {
				return fmt.Sprintf("If its entries are parts of the texts of %s that are made at %s, each part keeps "+
					"a whole text alive: copy what is kept (strings.Clone, bytes.Clone). ", format.Bytes(size),
					finding.FileAndLine(source.Position{File: s.File, Line: s.Line}))
			}
		}
	}
	return ""
}

// makersOfText are functions that read or build texts, by the beginning of their names.
var makersOfText = []string{"strings.", "bytes.", "io.ReadAll", "io.Copy", "os.ReadFile", "bufio.", "runtime.slicebytetostring"}
