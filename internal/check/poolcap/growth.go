package poolcap

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heapwright/heapwright/internal/check/pooled"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// root stands for the path of the value itself.
const root = "value"

// growth is the way in which the package fills a buffer.
type growth int

const (
	emptied   growth = iota + 1 // it is emptied, and filled out of sight
	bounded                     // with a few elements
	unbounded                   // with as many as there are
)

// buffers records how a package uses the slices and buffers of a pool's values, by
// their path.
type buffers struct {
	info    *types.Info
	helpers *pooled.Helpers
	pool    *pooled.Pool
	filled  map[string]growth
	sites   map[string][]ast.Node // the calls that get the buffer
	kept    map[string]bool       // the memory that filling allocates goes into the value
	dropped map[string]bool
	limited bool // a size is compared with a limit
	wanted  bool // a size is compared with the one that a caller needs
}

func survey(info *types.Info, helpers *pooled.Helpers, pool *pooled.Pool) *buffers {
	s := &buffers{
		info: info, helpers: helpers, pool: pool,
		filled: map[string]growth{}, sites: map[string][]ast.Node{}, kept: map[string]bool{}, dropped: map[string]bool{},
	}
	for _, put := range pool.Puts {
		operand := put.Operand
		if unary, ok := ast.Unparen(operand).(*ast.UnaryExpr); ok {
			operand = unary.X
		}
		s.kept[""] = s.kept[""] || isSlice(info.TypeOf(operand))
	}
	for _, scope := range pool.Scopes {
		s.body(scope, scope.Body, false)
	}
	return s
}

func (s *buffers) body(scope *pooled.Scope, body ast.Node, loop bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if !loop {
				s.body(scope, n, true)
				return false
			}
		case *ast.RangeStmt:
			if !loop {
				s.body(scope, n, true)
				return false
			}
		case *ast.BinaryExpr:
			s.limited = s.limited || s.limit(scope, n)
		case *ast.SwitchStmt:
			s.limited = s.limited || n.Tag != nil && s.measures(scope, n.Tag)
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if p, ok := scope.Path(left); ok && i < len(n.Rhs) {
					s.assign(scope, left, p, n.Rhs[i], loop)
				}
			}
		case *ast.CallExpr:
			s.site(scope, n)
			s.call(scope, n, loop)
		case *ast.SliceExpr:
			if p, ok := scope.Part(n); ok && empties(s.info, n) {
				s.fill(p, emptied)
			}
		}
		return true
	})
}

func (s *buffers) fill(path string, g growth) { s.filled[path] = max(s.filled[path], g) }

func (s *buffers) grows(path string) bool {
	g := s.filled[path]
	return (g == emptied && !s.wanted || g == unbounded) && s.kept[path] && !s.dropped[path] && !s.dropped[""]
}

// assign notes that the place p of a pooled value, or a variable that holds it,
// gets a new value.
func (s *buffers) assign(scope *pooled.Scope, left ast.Expr, p string, from ast.Expr, loop bool) {
	from = ast.Unparen(from)
	_, own := scope.Part(from)
	call, isCall := from.(*ast.CallExpr)
	switch {
	case isCall && rewrite.IsBuiltin(s.info, call, "make"):
		if scope.Holds(left) || len(call.Args) < 2 || s.info.Types[call.Args[len(call.Args)-1]].Value != nil {
			return
		}
		s.fill(p, unbounded)
		s.sites[p] = append(s.sites[p], call)
		own = true
	case isCall && !own:
		for _, arg := range call.Args { // buf = strconv.AppendInt(buf, …)
			if q, part := scope.Part(arg); part && isSlice(s.info.TypeOf(left)) {
				own = true
				switch {
				case p != "" && !empties(s.info, arg): // a reader of a format may use it again, or not
				case loop, !short(rewrite.Callee(s.info, call)) && !s.helpers.Follows(s.pool, call):
					s.fill(q, unbounded)
				case short(rewrite.Callee(s.info, call)):
					s.fill(q, bounded)
				}
			}
		}
	}
	if scope.Holds(left) {
		return
	}
	switch lit, isLit := from.(*ast.CompositeLit); {
	case own:
		s.kept[p] = true
	case isLit:
		s.literal(scope, p, lit)
	case s.info.Types[from].IsNil():
		s.dropped[p] = true
	}
}

// site notes the places of pooled values that a call gets, other than to put them.
func (s *buffers) site(scope *pooled.Scope, call *ast.CallExpr) {
	if len(s.helpers.Put(call)) > 0 || s.helpers.Follows(s.pool, call) {
		return
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if p, ok := scope.Receiver(sel); ok {
			switch sel.Sel.Name {
			case "Reset", "Cap", "Len", "Bytes", "String":
			default:
				s.sites[p] = append(s.sites[p], call)
			}
		}
	}
	if rewrite.IsBuiltin(s.info, call, "len") || rewrite.IsBuiltin(s.info, call, "cap") {
		return
	}
	for _, arg := range call.Args {
		if p, ok := scope.Part(arg); ok {
			s.sites[p] = append(s.sites[p], call)
		}
	}
}

// short reports whether a function appends the text of one basic value.
func short(name string) bool {
	switch name {
	case "strconv.AppendInt", "strconv.AppendUint", "strconv.AppendFloat", "strconv.AppendBool",
		"strconv.AppendQuoteRune", "unicode/utf8.AppendRune", "(time.Time).AppendFormat",
		"encoding/binary.AppendUvarint", "encoding/binary.AppendVarint":
		return true
	}
	return false
}

// literal notes the fields that a new value takes over from the old one. The others
// are dropped.
func (s *buffers) literal(scope *pooled.Scope, p string, lit *ast.CompositeLit) {
	takes := false
	for _, element := range lit.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if q, own := scope.Part(pair.Value); own {
			takes = true
			s.kept[q] = true
			if empties(s.info, pair.Value) {
				s.fill(q, emptied)
			}
		}
	}
	if !takes {
		s.dropped[p] = true
	}
}

// call notes the buffers that a call fills or empties.
func (s *buffers) call(scope *pooled.Scope, call *ast.CallExpr, loop bool) {
	if rewrite.IsBuiltin(s.info, call, "append") {
		if p, ok := scope.Part(call.Args[0]); ok {
			g := bounded
			last := ast.Unparen(call.Args[len(call.Args)-1])
			_, made := last.(*ast.CallExpr) // such as make([]byte, 8)
			if loop || call.Ellipsis.IsValid() && !made && s.info.Types[last].Value == nil {
				g = unbounded
			}
			s.fill(p, g)
		}
		return
	}
	if short(rewrite.Callee(s.info, call)) {
		for _, arg := range call.Args {
			if p, ok := scope.Part(arg); ok {
				s.fill(p, bounded)
			}
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && rewrite.Callee(s.info, call) == "(*bytes.Buffer).Reset" {
		if p, ok := scope.Receiver(sel); ok {
			s.fill(p, unbounded)
			s.kept[p] = true
		}
	}
}

// limit reports whether an expression compares the size of a buffer with a limit. A
// comparison with a variable of the function is a request for that much memory.
func (s *buffers) limit(scope *pooled.Scope, e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
	default:
		return false
	}
	for _, pair := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
		if !s.measures(scope, pair[0]) {
			continue
		}
		if s.fixed(pair[1]) {
			return true
		}
		s.wanted = s.wanted || s.info.Types[pair[1]].Value == nil
	}
	return false
}

// fixed reports whether e is a constant other than 0, a field or a variable of a
// package.
func (s *buffers) fixed(e ast.Expr) bool {
	if v := s.info.Types[e].Value; v != nil {
		return v.String() != "0"
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return true
	case *ast.Ident:
		v := rewrite.Variable(s.info, e)
		return v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
	case *ast.CallExpr:
		return s.info.Types[e.Fun].IsType() && len(e.Args) == 1 && s.fixed(e.Args[0])
	case *ast.BinaryExpr:
		return s.fixed(e.X) || s.fixed(e.Y)
	}
	return false
}

// measures reports whether e depends on the capacity or length of a pooled buffer.
func (s *buffers) measures(scope *pooled.Scope, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if rewrite.IsBuiltin(s.info, call, "cap") || rewrite.IsBuiltin(s.info, call, "len") {
			_, pooled := scope.Part(call.Args[0])
			found = found || pooled
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			switch sel.Sel.Name {
			case "Cap", "Len", "Size":
				_, pooled := scope.Receiver(sel)
				found = found || pooled
			}
		}
		return true
	})
	return found
}

// empties reports whether e is a slice of length 0, which the next use appends to.
func empties(info *types.Info, e ast.Expr) bool {
	slice, ok := ast.Unparen(e).(*ast.SliceExpr)
	if !ok || slice.High == nil {
		return false
	}
	v := info.Types[slice.High].Value
	return v != nil && v.String() == "0"
}

// unbounded returns the path of a buffer in a value of type t that can grow without
// limit, or "".
func (s *buffers) unbounded(t types.Type) string {
	if s.limited {
		return ""
	}
	elem := t
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		elem = p.Elem()
	}
	if isBuffer(elem) || isSlice(elem) && s.grows("") && (rewrite.IsBytes(elem) || s.filled[""] == unbounded) {
		return root
	}
	st, ok := elem.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for f := range st.Fields() {
		path := "." + f.Name()
		// Other slices in a struct mostly hold a few elements, such as the fields of a record.
		if (rewrite.IsBytes(f.Type()) || isBuffer(f.Type())) && s.grows(path) {
			return path
		}
	}
	return ""
}

func isSlice(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Slice)
	return ok
}

// isBuffer reports whether t is bytes.Buffer or a pointer to it.
func isBuffer(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "bytes" && named.Obj().Name() == "Buffer"
}
