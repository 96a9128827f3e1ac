package lengths

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// kind is how a variable grows.
type kind string

const (
	list    kind = "slice"
	mapping kind = "map"
	builder kind = "strings.Builder"
	buffer  kind = "bytes.Buffer"
)

// grower is a local variable that begins empty, without room, and grows.
type grower struct {
	kind  kind
	v     *types.Var
	at    inspector.Cursor // the statement that declares it
	value ast.Expr         // the first value, or nil for var v T
	// spec declares it in a statement with var, and is nil for :=.
	spec *ast.ValueSpec
	// fills are the statements that make a slice or a map longer, and the calls that return
	// a finished text.
	fills []inspector.Cursor
	// late says that the program sees whether a slice is nil, so it gets its room only when
	// something is appended.
	late bool
	// escapes says that others get the slice.
	escapes bool
	file    *rewrite.File
	// name and typ are its texts.
	name, typ string
}

// isAt reports whether a line mentions the grower, or, for the line of a caller, hands it over.
func (g *grower) isAt(fset *token.FileSet, source *rewrite.Source, l Line) bool {
	if g.v.IsField() {
		return !l.Caller && fset.Position(g.at.Node().Pos()).Line == l.Line
	}
	return slices.ContainsFunc(source.Mentions(rewrite.Function(g.at), g.v), func(id inspector.Cursor) bool {
		if fset.Position(id.Node().Pos()).Line != l.Line {
			return false
		}
		switch {
		case !l.Caller:
			return true
		case g.kind == mapping:
			return id.ParentEdgeKind() == edge.CallExpr_Args
		}
		return g.kind != list && id.ParentEdgeKind() != edge.SelectorExpr_X
	})
}

// growers returns the growers of a package.
func growers(pass *analysis.Pass) (all []*grower) {
	source, root, blind := rewrite.Of(pass), rewrite.Files(pass), newBlindness(pass)
	for c := range root.Preorder((*ast.AssignStmt)(nil), (*ast.DeclStmt)(nil)) {
		if !rewrite.InList(c) {
			continue
		}
		for _, start := range rewrite.Declared(source.Info, c.Node()) {
			g := &grower{v: start.Var, at: c, value: ast.Unparen(start.Value)}
			var alone bool
			g.spec, alone = specOf(c.Node(), g.v)
			g.kind = kindOf(g.v.Type())
			if !alone || g.kind == "" || !g.empty(source.Info) || !g.grows(source, blind, rewrite.Function(c)) {
				continue
			}
			if g.file = source.File(c); g.file == nil {
				continue
			}
			g.name = g.v.Name()
			if g.spec != nil && g.spec.Type != nil {
				g.typ = g.file.Text(g.spec.Type)
			}
			all = append(all, g)
		}
	}
	return append(all, blind.fields(source)...)
}

// specOf returns the part of a statement that declares a variable. It reports false if that
// declares others, too.
func specOf(n ast.Node, v *types.Var) (spec *ast.ValueSpec, alone bool) {
	decl, ok := n.(*ast.DeclStmt)
	if !ok {
		return nil, true
	}
	for _, s := range decl.Decl.(*ast.GenDecl).Specs {
		if spec := s.(*ast.ValueSpec); spec.Pos() <= v.Pos() && v.Pos() < spec.End() {
			return spec, len(spec.Names) == 1
		}
	}
	return nil, false
}

// among reports whether the statement also declares other variables.
func (g *grower) among() bool {
	decl, ok := g.at.Node().(*ast.DeclStmt)
	return ok && decl.Decl.(*ast.GenDecl).Lparen.IsValid()
}

func kindOf(t types.Type) kind {
	if p, ok := t.(*types.Pointer); ok {
		if k := kindOf(p.Elem()); k == builder || k == buffer {
			return k
		}
		return ""
	}
	switch name := types.TypeString(t, nil); name {
	case string(builder), string(buffer):
		return kind(name)
	}
	if _, ok := t.(*types.TypeParam); ok {
		return ""
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		return list
	case *types.Map:
		return mapping
	}
	return ""
}

// empty reports whether the first value is empty and has no room.
func (g *grower) empty(info *types.Info) bool {
	if g.value == nil {
		return g.kind == list || g.kind != mapping && !isPointer(g.v.Type())
	}
	value := g.value
	if address, ok := value.(*ast.UnaryExpr); ok && address.Op == token.AND {
		value = ast.Unparen(address.X)
	}
	switch v := value.(type) {
	case *ast.CompositeLit:
		return len(v.Elts) == 0
	case *ast.CallExpr:
		if rewrite.IsBuiltin(info, v, "new") {
			return g.kind == builder || g.kind == buffer
		}
		if !rewrite.IsBuiltin(info, v, "make") {
			return false
		}
		if g.kind == mapping {
			return len(v.Args) == 1
		}
		return g.kind == list && len(v.Args) == 2 && isZero(info, v.Args[1])
	}
	return false
}

func isPointer(t types.Type) bool { _, ok := t.(*types.Pointer); return ok }

func isZero(info *types.Info, e ast.Expr) bool {
	value := info.Types[e].Value
	return value != nil && value.String() == "0"
}

// grows finds the fills. It reports false if there is none, or if the program would
// behave otherwise with more room.
func (g *grower) grows(source *rewrite.Source, blind *blindness, fn inspector.Cursor) bool {
	if g.kind == list && !source.Local(fn, g.v) {
		return false // a closure may append to it when others have it
	}
	mentions := source.Mentions(fn, g.v)
	for i, id := range mentions {
		if source.Info.Defs[id.Node().(*ast.Ident)] == g.v {
			continue
		}
		fill, ok := g.fill(source.Info, id)
		if last := i == len(mentions)-1; !ok && !(last && g.handsOver(id)) {
			return false
		}
		if fill.Valid() && !slices.Contains(g.fills, fill) {
			g.fills = append(g.fills, fill)
		}
	}
	if g.late && blind.of(g.v) {
		g.late = false
	}
	return len(g.fills) > 0 && (!g.late || len(g.fills) == 1 && addsOne(g.fills[0]))
}

// addsOne reports whether an append makes the slice longer in any case.
func addsOne(fill inspector.Cursor) bool {
	assign, ok := fill.Node().(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 {
		return false
	}
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	return ok && len(call.Args) > 1 && !call.Ellipsis.IsValid()
}

// fill returns the fill that a mention belongs to, if it belongs to one. It reports false for
// a mention that rules the grower out.
func (g *grower) fill(info *types.Info, id inspector.Cursor) (fill inspector.Cursor, ok bool) {
	switch g.kind {
	case mapping:
		return g.entry(id), true
	case list:
		return g.appended(info, id)
	}
	return g.text(info, id)
}

// entry returns the statement that sets an entry of the map, or hands it to a function that
// may set some.
func (g *grower) entry(id inspector.Cursor) (none inspector.Cursor) {
	statement := id.Parent().Parent()
	switch id.ParentEdgeKind() {
	case edge.IndexExpr_X:
		switch id.Parent().ParentEdgeKind() {
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X:
		default:
			return none
		}
	case edge.CallExpr_Args:
		switch id.Parent().ParentEdgeKind() {
		case edge.AssignStmt_Rhs, edge.ExprStmt_X:
		default:
			return none
		}
	default:
		return none
	}
	if rewrite.InList(statement) {
		return statement
	}
	return none
}

// appended returns the statement that makes a slice longer. Nobody else may append to the
// slice, which would then write to the same room, and of a slice that begins as nil the
// program must not see that it has become an empty one: then its room comes late.
func (g *grower) appended(info *types.Info, id inspector.Cursor) (fill inspector.Cursor, ok bool) {
	parent := id.Parent()
	call, isCall := parent.Node().(*ast.CallExpr)
	if isCall && rewrite.IsBuiltin(info, call, "append") && call.Args[0] == id.Node() {
		assign, ok := parent.Parent().Node().(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != len(assign.Rhs) {
			return fill, false
		}
		i := slices.Index(assign.Rhs, ast.Expr(call))
		return parent.Parent(), rewrite.Variable(info, assign.Lhs[i]) == g.v && rewrite.InList(parent.Parent())
	}
	switch p := parent.Node().(type) {
	case *ast.ReturnStmt:
		g.late, g.escapes = g.late || g.value == nil, true
		return fill, true
	case *ast.IndexExpr: // a pointer to an element would stay one when the slice grows
		return fill, p.X == id.Node() && !rewrite.Addressed(info, parent)
	case *ast.RangeStmt:
		return fill, p.X == id.Node()
	case *ast.SliceExpr:
		return fill, p.X == id.Node() && cutOf(info, parent, g.v)
	case *ast.AssignStmt:
		return fill, slices.Contains(p.Lhs, id.Node().(ast.Expr))
	case *ast.CallExpr:
		return fill, readsOnly(info, p)
	}
	return fill, false
}

// cutOf reports whether a part of a slice is only read, or becomes the slice itself. Made
// with room, the slice has the same elements, so that the same part of it is empty.
func cutOf(info *types.Info, cut inspector.Cursor, v *types.Var) bool {
	if cut.Node().(*ast.SliceExpr).Slice3 {
		return false
	}
	switch p := cut.Parent().Node().(type) {
	case *ast.AssignStmt:
		return len(p.Lhs) == len(p.Rhs) && cut.ParentEdgeKind() == edge.AssignStmt_Rhs &&
			rewrite.Variable(info, p.Lhs[cut.ParentEdgeIndex()]) == v
	case *ast.RangeStmt:
		return true
	case *ast.CallExpr:
		return readsOnly(info, p)
	}
	return false
}

// handsOver reports whether a mention after which there is no other hands a slice over: whoever
// has it then is the only one to append.
func (g *grower) handsOver(id inspector.Cursor) bool {
	if g.kind != list {
		return false
	}
	for c := id; c.Parent().Node() != g.at.Parent().Node(); c = c.Parent() {
		switch c.Parent().Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt, *ast.File:
			return false
		}
	}
	g.late, g.escapes = g.late || g.value == nil, true
	return true
}

// readers are functions for which a nil slice is an empty one, and which keep neither.
var readers = []string{"strings.Join", "bytes.Join", "sort.Strings", "sort.Ints", "sort.Slice", "sort.SliceStable",
	"slices.Sort", "slices.SortFunc", "slices.SortStableFunc", "slices.Contains", "slices.Index", "slices.Reverse"}

func readsOnly(info *types.Info, call *ast.CallExpr) bool {
	if tv := info.Types[call.Fun]; tv.IsType() {
		basic, ok := tv.Type.Underlying().(*types.Basic)
		return ok && basic.Info()&types.IsString != 0
	}
	if rewrite.IsBuiltin(info, call, "len") || rewrite.IsBuiltin(info, call, "copy") ||
		rewrite.IsBuiltin(info, call, "append") && call.Ellipsis.IsValid() {
		return true
	}
	return slices.Contains(readers, rewrite.Callee(info, call))
}

// text returns the call that returns the finished text. A buffer without bytes shows that it
// has room only in Bytes, and a builder nowhere.
func (g *grower) text(info *types.Info, id inspector.Cursor) (fill inspector.Cursor, ok bool) {
	sel := id.Parent()
	if id.ParentEdgeKind() != edge.SelectorExpr_X || sel.ParentEdgeKind() != edge.CallExpr_Fun {
		return fill, g.handed(info, id)
	}
	switch sel.Node().(*ast.SelectorExpr).Sel.Name {
	case "Grow", "Cap", "Available", "AvailableBuffer":
		return fill, false
	case "Bytes":
		outer, ok := sel.Parent().Parent().Node().(*ast.CallExpr)
		return sel.Parent(), ok && readsBytes(info, outer)
	case "String":
		return sel.Parent(), true
	}
	return fill, true
}

// handed reports whether a mention gives the text to others in a way in which its room does not
// show. A Builder that has room must not be copied. Of a Buffer only an interface, such as
// io.Writer, hides Bytes.
func (g *grower) handed(info *types.Info, id inspector.Cursor) bool {
	pointer := id
	if !isPointer(g.v.Type()) {
		if id.ParentEdgeKind() != edge.UnaryExpr_X {
			return false
		}
		pointer = id.Parent()
	}
	if g.kind == builder {
		return true
	}
	call, ok := pointer.Parent().Node().(*ast.CallExpr)
	if !ok || pointer.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
	i := pointer.ParentEdgeIndex()
	return ok && i < sig.Params().Len() && types.IsInterface(sig.Params().At(i).Type())
}

// readsBytes reports whether a call reads bytes for which nil is an empty text.
func readsBytes(info *types.Info, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Write" && info.Selections[sel] != nil || readsOnly(info, call)
}
