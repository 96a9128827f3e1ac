package split

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// asked returns the number of parts that the first comparison of len(parts) asks for, -1 if
// there is none.
func (d *cut) asked(source *rewrite.Source) int64 {
	for _, id := range source.Mentions(rewrite.Function(d.decl), d.parts) {
		if id.ParentEdgeKind() != edge.CallExpr_Args {
			continue
		}
		e, ok := id.Parent().Parent().Node().(*ast.BinaryExpr)
		if !ok {
			return -1
		}
		return number(d.info, e.Y)
	}
	return -1
}

// ordinals are the first names that parts get, and spares the second.
var (
	ordinals = [most]string{"first", "second", "third", "fourth"}
	spares   = [most]string{"part1", "part2", "part3", "part4"}
)

// fixAll cuts the text n-1 times. There are n parts if the last cut finds the separator, and
// the rest has none: where an earlier cut finds none, the rest is empty.
func (d *cut) fixAll(f *rewrite.File, names *rewrite.Names) []analysis.SuggestedFix {
	kind := d.decl.ParentEdgeKind()
	list := kind == edge.BlockStmt_List || kind == edge.CaseClause_Body || kind == edge.CommClause_Body
	if f == nil || !f.AtLeast("go1.18") || !list {
		return nil
	}
	pos := d.decl.Node().Pos()
	_, indent, alone := f.Above(pos)
	choose := func(candidates ...string) (string, bool) { return names.Choose(f, pos, d.unmentioned(candidates)...) }
	last := int(d.n) - 1
	part, rest := [most]string{}, ""
	var ok bool
	for i := range last + 1 {
		part[i] = "_"
		if len(d.reads[i]) > 0 || i == last {
			if part[i], ok = choose(ordinals[i], spares[i]); !ok {
				return nil
			}
		}
	}
	found, ok := choose("found", "ok")
	if ok && last > 1 {
		rest, ok = choose("rest", "remaining")
	}
	if !ok || !alone {
		return nil
	}
	edits := []analysis.TextEdit{rewrite.Replace(d.decl.Node(), strings.Join(d.cuts(f, part[:last+1], rest, found), "\n"+indent))}
	for i, nodes := range d.reads {
		for _, n := range nodes {
			edits = append(edits, rewrite.Replace(n, part[i]))
		}
	}
	more := of(f, d.call, "Contains", part[last])
	for n, test := range d.tests {
		text := "!" + found + " || " + more
		if test.is {
			text = found + " && !" + more
		}
		if !test.alone {
			text = "(" + text + ")"
		}
		edits = append(edits, rewrite.Replace(n, text))
	}
	return f.Fix("Use strings.Cut", edits...)
}

// cuts returns the statements that give the parts their names.
func (d *cut) cuts(f *rewrite.File, part []string, rest, found string) (all []string) {
	text, last := f.Text(d.call.Args[0]), len(part)-1
	for i := range last {
		after, is, assign := rest, "_", " := "
		if i == last-1 {
			after, is = part[last], found
		} else if i > 0 && part[i] == "_" {
			assign = " = "
		}
		all = append(all, part[i]+", "+after+", "+is+assign+of(f, d.call, "Cut", text))
		text = rest
	}
	return all
}
