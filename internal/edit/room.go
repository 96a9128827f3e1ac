package edit

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Room returns the edit that makes a local slice or map with room for the elements
// that a range loop adds to it, one each time round. The place is that of the
// append's parenthesis or the insert's bracket. It returns nil where the number
// is not known before the loop or the loop may end early.
func (p *Package) Room(file string, line, column int) []Edit {
	f := p.files[file]
	if f == nil {
		return nil
	}
	var path, found []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		at := token.NoPos
		switch n := n.(type) {
		case *ast.CallExpr:
			at = n.Lparen
		case *ast.IndexExpr:
			at = n.Lbrack
		}
		if pos := p.fset.Position(at); at.IsValid() && pos.Line == line && pos.Column == column {
			found = append([]ast.Node(nil), path...)
		}
		return true
	})
	// …, block, range, body, assignment, append or element
	n := len(found)
	if n < 5 {
		return nil
	}
	assign, ok := found[n-2].(*ast.AssignStmt)
	body, inBody := found[n-3].(*ast.BlockStmt)
	loop, inLoop := found[n-4].(*ast.RangeStmt)
	block, inBlock := found[n-5].(*ast.BlockStmt)
	if !ok || !inBody || !inLoop || !inBlock || loop.Body != body || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 {
		return nil
	}
	var target *ast.Ident
	switch grows := found[n-1].(type) {
	case *ast.CallExpr:
		target, _ = assign.Lhs[0].(*ast.Ident)
		if len(grows.Args) != 2 || grows.Ellipsis.IsValid() || target == nil || p.use(grows.Args[0]) != p.use(target) {
			return nil
		}
	case *ast.IndexExpr:
		target, _ = grows.X.(*ast.Ident)
		if assign.Lhs[0] != ast.Expr(grows) || target == nil {
			return nil
		}
	}
	v, _ := p.use(target).(*types.Var)
	if v == nil || p.endsEarly(body, v) {
		return nil
	}
	return p.makeWithRoom(file, block, loop, v)
}

// endsEarly reports whether a loop may skip or end with the variable part-filled,
// or gives it another value.
func (p *Package) endsEarly(body *ast.BlockStmt, v *types.Var) bool {
	early := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			early = true
		case *ast.ReturnStmt:
			early = early || len(n.Results) == 0 || p.mentions(n, v)
		}
		return !early
	})
	return early
}

func (p *Package) makeWithRoom(file string, block *ast.BlockStmt, loop *ast.RangeStmt, v *types.Var) []Edit {
	size, root := p.size(loop)
	if size == "" {
		return nil
	}
	_, field := loop.X.(*ast.SelectorExpr)
	for i, s := range block.List {
		if s.End() > loop.Pos() {
			return nil
		}
		value, made := p.declares(s, v)
		if !made {
			continue
		}
		for between := i + 1; block.List[between] != ast.Stmt(loop); between++ {
			if b := block.List[between]; p.mentions(b, v) || p.mentions(b, root) || field && calls(b) {
				return nil
			}
		}
		scope := p.types.Scope().Innermost(s.Pos())
		for name, want := range map[string]types.Object{"len": types.Universe.Lookup("len"), "make": types.Universe.Lookup("make"), root.Name(): root} {
			if _, o := scope.LookupParent(name, s.Pos()); o != want {
				return nil
			}
		}
		at := func(pos token.Pos) int { return p.fset.Position(pos).Offset }
		text := func(n ast.Node) string { return string(p.texts[file][at(n.Pos()):at(n.End())]) }
		_, isMap := v.Type().Underlying().(*types.Map)
		zero := "0, "
		if isMap {
			zero = ""
		}
		switch e := value.(type) {
		case *ast.CompositeLit: // []T{}
			if len(e.Elts) == 0 && e.Type != nil {
				return []Edit{{file, at(e.Pos()), at(e.End()), "make(" + text(e.Type) + ", " + zero + size + ")"}}
			}
		case *ast.CallExpr: // make([]T, 0)
			if id, ok := e.Fun.(*ast.Ident); ok && p.info.Uses[id] == types.Universe.Lookup("make") {
				zeroLength := len(e.Args) == 2 && !isMap && text(e.Args[1]) == "0"
				if zeroLength || len(e.Args) == 1 && isMap {
					return []Edit{{file, at(e.Rparen), at(e.Rparen), ", " + size}}
				}
			}
		case *ast.ArrayType: // var s []T: it stays nil where nothing is added
			start := at(loop.Pos())
			margin := strings.Repeat("\t", p.fset.Position(loop.Pos()).Column-1)
			return []Edit{{file, start, start, "if " + size + " > 0 {\n" + margin + "\t" + v.Name() + " = make(" + text(e) + ", 0, " + size + ")\n" + margin + "}\n" + margin}}
		}
		return nil
	}
	return nil
}

// size returns the number of a loop's rounds as text, "" where it takes more than
// the len of a variable or field, and the variable.
func (p *Package) size(loop *ast.RangeStmt) (string, types.Object) {
	switch p.info.TypeOf(loop.X).Underlying().(type) {
	case *types.Slice, *types.Map, *types.Array:
	default:
		return "", nil
	}
	e := loop.X
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			if v, ok := p.use(x).(*types.Var); ok {
				return "len(" + types.ExprString(loop.X) + ")", v
			}
			return "", nil
		default:
			return "", nil
		}
	}
}

// declares returns the value, or the type where there is none, that a statement
// declares the variable with.
func (p *Package) declares(s ast.Stmt, v *types.Var) (ast.Expr, bool) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for i, l := range s.Lhs {
			if id, ok := l.(*ast.Ident); ok && p.info.Defs[id] == types.Object(v) && len(s.Lhs) == len(s.Rhs) {
				return s.Rhs[i], true
			}
		}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && len(d.Specs) == 1 {
			if spec, ok := d.Specs[0].(*ast.ValueSpec); ok && len(spec.Names) == 1 && p.info.Defs[spec.Names[0]] == types.Object(v) {
				if len(spec.Values) == 1 {
					return spec.Values[0], true
				}
				return spec.Type, true
			}
		}
	}
	return nil, false
}

func (p *Package) use(e ast.Expr) types.Object {
	if id, ok := e.(*ast.Ident); ok {
		return p.info.Uses[id]
	}
	return nil
}

func (p *Package) mentions(n ast.Node, o types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.info.ObjectOf(id) == o {
			found = true
		}
		return !found
	})
	return found
}

func calls(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}
