package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// Leaves reports whether a statement of a loop's body can end an iteration early
// or leave the loop: break and continue of this loop, return, goto, and every
// branch to a label. A panic does not count.
func Leaves(body *ast.BlockStmt) bool {
	found := false
	var visit func(n ast.Node, breaks, continues bool)
	visit = func(n ast.Node, breaks, continues bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			if found || m == nil {
				return false
			}
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			case *ast.BranchStmt:
				found = m.Label != nil || m.Tok == token.GOTO || m.Tok == token.BREAK && breaks || m.Tok == token.CONTINUE && continues
			case *ast.ForStmt:
				visit(m.Body, false, false)
				return false
			case *ast.RangeStmt:
				visit(m.Body, false, false)
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if breaks {
					visit(bodyOf(m), false, continues)
					return false
				}
			}
			return true
		})
	}
	visit(body, true, true)
	return found
}

func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		return n.Body
	case *ast.TypeSwitchStmt:
		return n.Body
	}
	return n.(*ast.SelectStmt).Body
}

// Count is the number of times that a loop runs.
type Count struct {
	Over ast.Expr // the slice, array or map whose length it is, or the number itself
	Len  bool     // Over has to be wrapped in len
	Max  int64    // the number if it is constant, otherwise -1
	// Split is the call of SplitSeq whose parts the loop ranges over: one more than the
	// constant separators in Over.
	Split *ast.CallExpr
}

// CountOf returns the number of iterations of a loop that nothing leaves early,
// if it is known before the first: range over a slice, an array, a map or an
// integer, and for i := 0; i < n; i++ where the body assigns neither.
func (s *Source) CountOf(c inspector.Cursor) (Count, bool) {
	type answer struct {
		Count
		ok bool
	}
	if f, ok := s.counts.Load(c.Node()); ok {
		return f.(answer).Count, f.(answer).ok
	}
	n, ok := s.count(c)
	s.counts.Store(c.Node(), answer{n, ok})
	return n, ok
}

func (s *Source) count(c inspector.Cursor) (Count, bool) {
	info := s.Info
	switch loop := c.Node().(type) {
	case *ast.RangeStmt:
		t := info.TypeOf(loop.X)
		if t == nil {
			return Count{}, false
		}
		c := Count{Over: loop.X, Len: true, Max: -1}
		switch u := t.Underlying().(type) { // of a type parameter, an interface
		case *types.Slice, *types.Map:
			return c, true
		case *types.Array:
			c.Max = u.Len()
			return c, true
		case *types.Pointer:
			array, ok := u.Elem().Underlying().(*types.Array)
			if ok {
				c.Max = array.Len()
			}
			return c, ok
		case *types.Basic:
			c.Len = false
			c.Max = fixed(info, loop.X)
			return c, u.Info()&types.IsInteger != 0
		case *types.Signature:
			return iterated(info, loop.X)
		}
	case *ast.ForStmt:
		return s.counted(Function(c), loop)
	}
	return Count{}, false
}

// iterated recognizes iterators of the standard library whose number of values is known.
func iterated(info *types.Info, seq ast.Expr) (Count, bool) {
	call, ok := ast.Unparen(seq).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || call.Ellipsis.IsValid() {
		return Count{}, false
	}
	switch Callee(info, call) {
	case "maps.Keys", "maps.Values", "maps.All", "slices.Values", "slices.All", "slices.Backward":
		return Count{Over: call.Args[0], Len: true, Max: -1}, true
	case "strings.SplitSeq":
		sep := info.Types[call.Args[1]].Value
		_, qualified := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return Count{Over: call.Args[0], Max: -1, Split: call}, qualified && sep != nil && constant.StringVal(sep) != ""
	}
	return Count{}, false
}

// counted recognizes for i := 0; i < n; i++.
func (s *Source) counted(fn inspector.Cursor, loop *ast.ForStmt) (Count, bool) {
	info := s.Info
	init, _ := loop.Init.(*ast.AssignStmt)
	cond, _ := loop.Cond.(*ast.BinaryExpr)
	post, _ := loop.Post.(*ast.IncDecStmt)
	if init == nil || cond == nil || post == nil || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 ||
		fixed(info, init.Rhs[0]) != 0 || cond.Op != token.LSS || post.Tok != token.INC {
		return Count{}, false
	}
	i := Variable(info, init.Lhs[0])
	if !s.Local(fn, i) || Variable(info, cond.X) != i || Variable(info, post.X) != i || Writes(info, loop.Body, i) {
		return Count{}, false
	}
	c := Count{Over: cond.Y, Max: fixed(info, cond.Y)}
	if c.Max >= 0 {
		return c, true
	}
	over := ast.Unparen(cond.Y)
	if call, ok := over.(*ast.CallExpr); ok && IsBuiltin(info, call, "len") {
		c.Over, c.Len = call.Args[0], true
		over = ast.Unparen(call.Args[0])
	}
	// The condition is evaluated again before each iteration: the body must not
	// be able to change its value.
	v := Variable(info, over)
	if !s.Local(fn, v) || Writes(info, loop.Body, v) {
		return Count{}, false
	}
	switch v.Type().Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Array:
		return c, true
	}
	return Count{}, false
}

// Writes reports whether n assigns v or takes its address.
func Writes(info *types.Info, n ast.Node, v *types.Var) bool {
	found := false
	is := func(e ast.Expr) bool { return Variable(info, e) == v }
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.AssignStmt:
			for _, e := range m.Lhs {
				found = found || is(e)
			}
		case *ast.IncDecStmt:
			found = found || is(m.X)
		case *ast.RangeStmt:
			found = found || m.Key != nil && is(m.Key) || m.Value != nil && is(m.Value)
		case *ast.UnaryExpr:
			found = found || m.Op == token.AND && is(m.X)
		}
		return !found
	})
	return found
}

// fixed returns the value of a constant integer that is not negative,
// otherwise -1.
func fixed(info *types.Info, e ast.Expr) int64 {
	tv := info.Types[e]
	if tv.Value == nil {
		return -1
	}
	if n, exact := constant.Int64Val(constant.ToInt(tv.Value)); exact && n >= 0 {
		return n
	}
	return -1
}
