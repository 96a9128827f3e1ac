package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// Propose returns the finding for a cause, if the remedy removes a share of the cause's
// allocations.
func Propose(e *evidence.Evidence, c *Cause, saves evidence.Range) Finding {
	f := FindingAt(e, c.Site)
	part := 0.0
	if whole := e.Size(c.Site.Sum); whole > 0 {
		part = min(1, e.Size(c.Weight)/whole)
	}
	f.cause, f.Held, f.Column = c, c.Live, c.Expression.Column
	f.CPU = c.Site.CPU.Times(part*saves.Low, part*saves.High)
	f.Memory = evidence.Range{}
	if !c.Dies() {
		f.Memory.High = c.Memory.High * saves.High
	}
	f.Confidence = c.Confidence
	f.Escape = reason(e, c)
	f.Evidence = c.Figures()
	f.garbage = e.Share(c.Alloc) * saves.High
	if e.CPU == nil {
		f.Share = e.Share(c.Alloc)
		f.Evidence = append(f.Evidence, Figure{"of all that is allocated", f.Share, "fraction"})
	}
	if made := maker(e, c); made.Line != 0 && made.Line != f.Line {
		f.Change = &evidence.Frame{Function: f.Function, File: made.File, Line: made.Line}
	}
	return f
}

// reason returns why the compiler put the expression on the heap. If the compiler names other
// expressions, it returns the reasons for the line.
func reason(e *evidence.Evidence, c *Cause) string {
	var exact, all []string
	for _, x := range e.Source.Escapes(c.Site.File, c.Site.Line) {
		text := x.String()
		if x.Column == c.Expression.Column && c.Expression.Column > 0 {
			exact = append(exact, text)
		}
		all = append(all, text)
	}
	if len(exact) > 0 {
		all = exact
	}
	all = slices.Compact(all)
	// "moved to heap: v: …" says no more than "v: …".
	all = slices.DeleteFunc(all, func(s string) bool {
		rest, moved := strings.CutPrefix(s, "moved to heap: ")
		return moved && slices.Contains(all, rest)
	})
	if c.Callee != "" || len(all) == 0 {
		if e.Source.Stays(c.Site.File, c.Site.Line) && c.Callee == "" && copiesText(c.Expression.Kind) {
			return "it does not escape, but is longer than the 32 bytes that the stack has for it"
		}
		if c.Callee != "" {
			return ""
		}
	}
	return strings.Join(all[:min(len(all), 2)], "; ")
}

func copiesText(k source.Kind) bool {
	return k == source.BytesToString || k == source.StringToBytes || k == source.Concat
}

// maker returns the position where the function makes the value that grows in the cause's line:
// a slice or map, or a buffer, encoder or timer whose method allocates.
func maker(e *evidence.Evidence, c *Cause) source.Position {
	if c.Callee == "" {
		return c.Expression.Made
	}
	method := strings.LastIndex(c.Callee, ").")
	if method < 0 {
		return source.Position{}
	}
	pkg := c.Callee[:strings.LastIndexByte(c.Callee[:method], '(')] // "compress/gzip."
	kind := strings.TrimPrefix(c.Callee[len(pkg):method], "(*")     // "Writer"
	short := profile.ShortName(pkg) + kind
	for _, a := range e.Source.Within(c.Site.File, c.Site.Line) {
		makes := a.Kind == source.Call && strings.HasPrefix(a.Callee, pkg+"New") ||
			a.Kind == source.New && strings.TrimPrefix(a.Type, "*") == short
		if makes && a.Line <= c.Site.Line {
			return a.Position
		}
	}
	return source.Position{}
}

// FileAndLine formats a position as "read.go:12".
func FileAndLine(p source.Position) string {
	name := p.File[strings.LastIndexAny(p.File, `/\`)+1:]
	return fmt.Sprintf("%s:%d", name, p.Line)
}
