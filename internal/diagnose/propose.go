package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/source"
)

// propose makes a finding of a cause: the remedy removes between low and high,
// as shares, of what the cause allocates.
func (e *Evidence) propose(c *cause, low, high float64) Finding {
	f := e.At(c.site)
	part := 0.0
	if whole := e.size(e.whole(c.site)); whole > 0 {
		part = min(1, e.size(c.Weight)/whole)
	}
	f.CPU = c.site.CPU.Times(part*low, part*high)
	f.Memory = Range{}
	if !c.churns() {
		f.Memory = Range{0, c.Memory.High * high}
	}
	f.Confidence = c.sure
	f.Escape = e.reason(c)
	f.Evidence = c.figures()
	if e.CPU == nil {
		f.share = e.shareOf(c.Alloc)
		f.Evidence = append(f.Evidence, Figure{"of all that is allocated", f.share, "fraction"})
	}
	if made := e.maker(c); made.Line != 0 && made.Line != f.Line {
		f.Change = &Frame{Function: f.Function, File: made.File, Line: made.Line}
	}
	return f
}

// worthNaming says whether what a finding could save is worth anybody's time,
// or without a CPU profile, whether it may be.
func (f *Finding) worthNaming() bool { return f.Ceiling() >= worthALook || f.share >= worthNaming }

// whole returns the sum over a site's stacks.
func (e *Evidence) whole(s *Site) Weight {
	var sum Weight
	for _, stack := range s.stacks {
		sum.add(e.Of(stack))
	}
	return sum
}

// figures are what the cause allocates, in numbers.
func (c *cause) figures() []Figure {
	var all []Figure
	if c.Alloc.Bytes > 0 {
		all = append(all, Figure{"allocated", c.Alloc.Bytes, "bytes"}, Figure{"allocated", c.Alloc.Objects, "objects"},
			Figure{"survives", min(1, c.Live.Bytes/c.Alloc.Bytes), "fraction"})
	}
	if c.Alloc.Objects > 0 {
		all = append(all, Figure{"mean size", c.Alloc.Bytes / c.Alloc.Objects, "bytes"})
	}
	if c.CPU > 0 {
		all = append(all, Figure{"CPU time in it", c.CPU, "fraction"})
	}
	return all
}

// reason returns the compiler's reason for the expression, or for the line
// where it names others.
func (e *Evidence) reason(c *cause) string {
	var exact, all []string
	for _, x := range e.Source.Escapes(c.site.File, c.site.Line) {
		text := x.String()
		if x.Column == c.what.Column && c.what.Column > 0 {
			exact = append(exact, text)
		}
		all = append(all, text)
	}
	if len(exact) > 0 {
		all = exact
	}
	all = slices.Compact(all)
	if c.callee != "" || len(all) == 0 {
		if e.Source.Stays(c.site.File, c.site.Line) && c.callee == "" && copiesText(c.what.Kind) {
			return "it does not escape, but is longer than the 32 bytes that the stack has for it"
		}
		if c.callee != "" {
			return ""
		}
	}
	return strings.Join(all[:min(len(all), 2)], "; ")
}

func copiesText(k source.Kind) bool {
	return k == source.BytesToString || k == source.StringToBytes || k == source.Concat
}

// fromCauses makes a rule's Find that proposes one remedy for each of its
// causes, as words adds to it. Memory that stays is not garbage: where much of
// it does, using it again cannot help.
func fromCauses(rule string, low, high float64, words func(*Evidence, *cause, *Finding)) func(*Evidence) []Finding {
	return func(e *Evidence) []Finding {
		var all []Finding
		for _, c := range e.of(rule) {
			if !c.churns() && rule != ruleAppend && rule != ruleMapSize {
				continue
			}
			f := e.propose(&c, low, high)
			if !f.worthNaming() {
				continue
			}
			if words != nil {
				words(e, &c, &f)
			}
			all = append(all, f)
		}
		return all
	}
}

// maker returns where the function makes what the cause's line lets grow: the
// slice or map, or the buffer, encoder or timer whose method allocates.
func (e *Evidence) maker(c *cause) source.Position {
	if c.callee == "" {
		return c.what.Made
	}
	method := strings.LastIndex(c.callee, ").")
	if method < 0 {
		return source.Position{}
	}
	pkg := c.callee[:strings.LastIndexByte(c.callee[:method], '(')] // "compress/gzip."
	kind := strings.TrimPrefix(c.callee[len(pkg):method], "(*")     // "Writer"
	short := shortName(pkg) + kind
	for _, a := range e.Source.Within(c.site.File, c.site.Line) {
		makes := a.Kind == source.Call && strings.HasPrefix(a.Callee, pkg+"New") ||
			a.Kind == source.New && strings.TrimPrefix(a.Type, "*") == short
		if makes && a.Line <= c.site.Line {
			return a.Position
		}
	}
	return source.Position{}
}

// at names a place as people write it.
func at(p source.Position) string {
	name := p.File[strings.LastIndexAny(p.File, `/\`)+1:]
	return fmt.Sprintf("%s:%d", name, p.Line)
}
