package diagnose

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/source"
)

func init() {
	register(Rule{
		Name:  "retention",
		Title: "a small part keeps a large whole alive",
		Doc: `Looks for large objects that stay alive although the function that made them keeps only a part: s[i:j] of a
slice or string that is stored or returned. By the size of the objects that live and the syntax of the functions on
the call path, whether they grow in number or not. It is wrong where all of the whole is kept in parts.`,
		Remedy: "Copy the part that is kept: strings.Clone, bytes.Clone or slices.Clone.",
		Example: `id := strings.Clone(line[:8]) // line can go
head := bytes.Clone(body[:64])`,
		Risk:        "Low. The copy is one small allocation.",
		NeedsSource: true,
		Find:        findRetention,
	})
}

// largeWhole is the mean size in bytes from which on a copy of a part is surely
// less than the whole.
const largeWhole = 512

func findRetention(e *Evidence) []Finding {
	var all []Finding
	for i := range e.Sites {
		s := &e.Sites[i]
		if s.Memory.High < holdsMuch || s.Live.Bytes < hoardBytes && !(e.stays(s) && s.Live.Bytes > trifle) {
			continue
		}
		file, a, function := e.partOf(s)
		if a.Kind == "" {
			continue
		}
		f := e.At(s)
		f.File, f.Line, f.Function = file, a.Line, function
		f.Source, _ = e.Source.Line(file, a.Line)
		f.Title = fmt.Sprintf("%s keeps all of %s alive", a.Text, a.Target)
		if a.Line == s.Line && file == s.File {
			f.Title = "parts of " + a.Target + " are kept, and keep all of it alive"
		}
		f.Memory = s.Memory.Times(0.5, 1)
		f.CPU = Range{0, s.CPU.High / 2}
		f.Confidence = Medium
		f.Evidence = []Figure{{"live", s.Live.Bytes, "bytes"}, {"mean size", s.Live.Bytes / s.Live.Objects, "bytes"}}
		if s.Growth != nil {
			f.Evidence = append(f.Evidence, Figure{"growth", s.Growth.PerHour, "bytes/hour"})
		}
		all = append(all, f)
	}
	return all
}

// partOf returns the line that keeps a part of what a site allocates, if it
// allocates wholes: in the site's function or in one of the next two outward,
// of the variable that the line on the path gives its value, or in what that
// line calls with the whole.
func (e *Evidence) partOf(s *Site) (file string, a source.Allocation, function string) {
	if s.Live.Objects == 0 || s.Live.Bytes/s.Live.Objects < largeWhole {
		return "", source.Allocation{}, ""
	}
	depth := 0
	for _, f := range s.Path {
		if !e.own(f) {
			continue
		}
		for _, a := range e.Source.Within(f.File, f.Line) {
			switch {
			case a.Kind == source.Slicing && a.Made.Line == f.Line:
				return f.File, a, f.Function
			case a.Kind != source.Call || a.Callee == "" || a.Line != f.Line:
				continue
			}
			for _, b := range e.Source.Of(a.Callee) {
				if b.Kind == source.Slicing && b.Made.Line == 0 { // of a parameter
					return b.File, b, a.Callee
				}
			}
		}
		if depth++; depth == 3 {
			break
		}
	}
	return e.partsBelow(s)
}

// partsBelow finds text that a line makes and hands on to functions that take
// it to pieces and keep something in a map or slice that only grows.
func (e *Evidence) partsBelow(s *Site) (file string, a source.Allocation, function string) {
	below := e.reach(s.File, s.Line)
	if !takesParts(below) || !slices.ContainsFunc(below, func(b source.Allocation) bool { return keeps(b, false) }) {
		return "", source.Allocation{}, ""
	}
	for _, a := range e.Source.Allocations(s.File, s.Line) {
		if a.Kind == source.BytesToString {
			return s.File, source.Allocation{Position: a.Position, Kind: source.Slicing, Text: a.Text, Target: a.Text}, s.Function
		}
	}
	return "", source.Allocation{}, ""
}
