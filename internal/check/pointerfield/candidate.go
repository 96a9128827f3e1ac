package pointerfield

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// candidate is a field that points to a struct, and what the package does with it.
type candidate struct {
	pass    *analysis.Pass
	file    *rewrite.File
	tree    *ast.File // the file of the declaration
	owner   *types.TypeName
	field   *types.Var
	edits   []analysis.TextEdit
	sites   []site
	refused bool
}

// site is an expression that makes the struct behind the pointer.
type site struct {
	inspector.Cursor
	once bool // it runs once
}

// candidates returns the fields of a struct type that may be candidates.
func candidates(pass *analysis.Pass, c inspector.Cursor) (all []*candidate) {
	spec, ok := c.Parent().Node().(*ast.TypeSpec)
	if !ok || spec.TypeParams != nil || spec.Assign.IsValid() || token.IsExported(spec.Name.Name) {
		return nil
	}
	obj, ok := pass.TypesInfo.Defs[spec.Name].(*types.TypeName)
	f := rewrite.Of(pass).File(c)
	if !ok || obj.Parent() != pass.Pkg.Scope() || f == nil {
		return nil
	}
	for _, field := range c.Node().(*ast.StructType).Fields.List {
		star, pointer := field.Type.(*ast.StarExpr)
		if !pointer || len(field.Names) != 1 || field.Tag != nil || token.IsExported(field.Names[0].Name) {
			continue
		}
		v, ok := pass.TypesInfo.Defs[field.Names[0]].(*types.Var)
		if !ok || !fits(pass.TypesInfo.TypeOf(star.X), obj.Type()) {
			continue
		}
		all = append(all, &candidate{
			pass: pass, file: f, tree: rewrite.Syntax(c), owner: obj, field: v,
			edits: []analysis.TextEdit{{Pos: star.Star, End: star.X.Pos()}},
		})
	}
	return all
}

// fits reports whether a struct of type t can be part of one of the type outer.
func fits(t, outer types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	_, structure := named.Underlying().(*types.Struct)
	return structure && !holds(named, func(part types.Type) bool {
		if types.Identical(part, outer) {
			return true
		}
		basic, ok := part.(*types.Basic)
		return ok && (basic.Kind() == types.Int64 || basic.Kind() == types.Uint64)
	})
}

// holds reports whether a value of a type has a part in itself that is: itself, a field or
// an element of an array. It leaves out the parts of types of the standard library.
func holds(t types.Type, is func(types.Type) bool) bool {
	if is(t) {
		return true
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		if first, _, _ := strings.Cut(named.Obj().Pkg().Path(), "/"); !strings.Contains(first, ".") && standard[first] {
			return false
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return is(u)
	case *types.Struct:
		for f := range u.Fields() {
			if holds(f.Type(), is) {
				return true
			}
		}
	case *types.Array:
		return holds(u.Elem(), is)
	}
	return false
}

// standard are the first parts of the paths of packages whose structs are often made by
// others.
var standard = map[string]bool{"bytes": true, "strings": true, "sync": true, "time": true, "bufio": true, "net": true}

// named judges a mention of the struct's type: only *T, and &T{...} in made.
func (d *candidate) named(c inspector.Cursor) {
	switch p := c.Parent().Node().(type) {
	case *ast.StarExpr:
		return
	case *ast.CompositeLit:
		if p.Type == c.Node() {
			return
		}
	}
	d.refused = true
}

// made judges a literal of the struct.
func (d *candidate) made(c inspector.Cursor) {
	lit := c.Node().(*ast.CompositeLit)
	address, ok := c.Parent().Node().(*ast.UnaryExpr)
	if lit.Type == nil || !ok || address.Op != token.AND || rewrite.Syntax(c) != d.tree {
		d.refused = true
		return
	}
	for pair := range c.Children() {
		kv, ok := pair.Node().(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && d.pass.TypesInfo.Uses[key] == d.field {
			value, _ := pair.LastChild()
			if text, ok := d.value(kv.Value); ok {
				d.edits = append(d.edits, text)
				d.sites = append(d.sites, site{value, rewrite.Once(d.pass, c)})
				return
			}
		}
	}
	d.refused = true
}

// value returns the edit that turns a new pointer into the struct that it points to.
func (d *candidate) value(e ast.Expr) (analysis.TextEdit, bool) {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return analysis.TextEdit{Pos: e.OpPos, End: e.X.Pos()}, ok && e.Op == token.AND && lit.Type != nil
	case *ast.CallExpr:
		if rewrite.IsBuiltin(d.pass.TypesInfo, e, "new") && d.pass.TypesInfo.Types[e.Args[0]].IsType() {
			return rewrite.Replace(e, d.file.Text(e.Args[0])+"{}"), true
		}
	}
	return analysis.TextEdit{}, false
}

// used judges a mention of the field.
func (d *candidate) used(c inspector.Cursor) {
	if rewrite.Syntax(c) != d.tree {
		d.refused = true
		return
	}
	switch c.ParentEdgeKind() {
	case edge.KeyValueExpr_Key:
		return // made asks for these
	case edge.SelectorExpr_Sel:
	default:
		d.refused = true
		return
	}
	sel := c.Parent()
	if s := d.pass.TypesInfo.Selections[sel.Node().(*ast.SelectorExpr)]; s == nil || len(s.Index()) != 1 {
		d.refused = true
		return
	}
	text := d.file.Text(sel.Node())
	switch sel.ParentEdgeKind() {
	case edge.SelectorExpr_X:
		return // the text is the same
	case edge.StarExpr_X:
		d.edits = append(d.edits, rewrite.Replace(sel.Parent().Node(), text))
		return
	case edge.CallExpr_Args:
		call := sel.Parent().Node().(*ast.CallExpr)
		callee := rewrite.Callee(d.pass.TypesInfo, call)
		if !d.pass.TypesInfo.Types[call.Fun].IsType() && !strings.HasPrefix(callee, "runtime.") {
			d.edits = append(d.edits, rewrite.Replace(sel.Node(), "&"+text))
			return
		}
	}
	d.refused = true
}

// report reports the field at the expressions that make its structs.
func (d *candidate) report() {
	hot := slices.IndexFunc(d.sites, func(s site) bool { return !s.once })
	if d.refused || hot < 0 {
		return
	}
	at := d.sites[hot].Node()
	report := analysis.Diagnostic{
		Pos: at.Pos(), End: at.End(),
		Message: "the struct takes an allocation of its own: make it a part of " + d.owner.Name(),
	}
	for i, s := range d.sites {
		if i != hot {
			n := s.Node()
			report.Related = append(report.Related, analysis.RelatedInformation{Pos: n.Pos(), End: n.End()})
		}
	}
	report.SuggestedFixes = d.file.Fix("Make it a field", d.edits...)
	if report.SuggestedFixes != nil {
		d.pass.Report(report)
	}
}
