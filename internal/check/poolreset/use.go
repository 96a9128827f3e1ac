package poolreset

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/check/pooled"
	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// use records how a package uses the parts of a pool's values, by their path.
type use struct {
	info  *types.Info
	added []addition // in the order of the source
	reset map[string]bool
	// resets are the places of the resets of whole values.
	resets []token.Pos
	// lent are the calls that give whole values to functions that may set entries of their
	// maps, and shown are the maps that are read whole.
	lent  []ast.Node
	shown []string
	// custom are the bodies of the package's functions that reset whole values, and followed
	// returns the body of a called function that handles values of the pool.
	custom   []*ast.BlockStmt
	followed func(*ast.CallExpr) *ast.BlockStmt
	mentions map[string]int
}

// addition is a place that adds something to the part at a path.
type addition struct {
	path string
	at   ast.Node
	// into is the value that a decoder fills, nil if nothing decodes.
	into types.Type
}

func survey(info *types.Info, helpers *pooled.Helpers, pool *pooled.Pool) *use {
	u := &use{info: info, reset: map[string]bool{}, mentions: map[string]int{}}
	u.followed = func(call *ast.CallExpr) *ast.BlockStmt { return helpers.Followed(pool, call) }
	for _, scope := range pool.Scopes {
		ast.Inspect(scope.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					from := n.Rhs[0]
					if len(n.Rhs) == len(n.Lhs) {
						from = n.Rhs[i]
					}
					u.assign(scope, left, from)
				}
			case *ast.IncDecStmt:
				u.assign(scope, n.X, nil)
			case *ast.CallExpr:
				u.call(scope, n)
			case *ast.SelectorExpr:
				u.mention(scope, n)
			case *ast.SliceExpr: // b[:0], b[:n]: a length of its own
				if p, ok := scope.Part(n); ok && n.High != nil && !u.length(n.High) {
					u.reset[p] = true
				}
			case *ast.RangeStmt:
				if p, ok := scope.Path(n.X); ok && n.Key != nil {
					u.ranges(scope, p, n.Body)
					u.shows(p, n.X)
				}
			}
			return true
		})
	}
	for _, p := range u.shown {
		for _, call := range u.lent {
			u.added = append(u.added, addition{path: p, at: call})
		}
	}
	return u
}

// dirty returns the additions to a part that nothing resets, neither by itself nor
// as part of a larger one.
func (u *use) dirty() []addition {
	for _, first := range u.added {
		clean := u.resetsFields(first) || len(u.custom) > 0 && !u.forgets(first)
		for p := range u.reset {
			clean = clean || p == first.path || strings.HasPrefix(first.path, p+".")
		}
		if !clean {
			return slices.DeleteFunc(u.added, func(a addition) bool { return a.path != first.path })
		}
	}
	return nil
}

// resetsFields reports whether each field of the struct that a decoder fills is reset.
func (u *use) resetsFields(a addition) bool {
	if a.into == nil {
		return false
	}
	t := a.into.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	s, ok := t.(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if !u.reset[a.path+"."+f.Name()] {
			return false
		}
	}
	return s.NumFields() > 0
}

// length reports whether e is len of something.
func (u *use) length(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && rewrite.IsBuiltin(u.info, call, "len")
}

func (u *use) assign(scope *pooled.Scope, left, from ast.Expr) {
	if index, ok := ast.Unparen(left).(*ast.IndexExpr); ok {
		if _, isMap := types.Unalias(u.info.TypeOf(index.X)).Underlying().(*types.Map); isMap {
			key := rewrite.Variable(u.info, index.Index)
			interns := key != nil && from != nil && rewrite.Variable(u.info, from) == key // m[s] = s: a cache on purpose
			if p, ok := scope.Path(index.X); ok && !interns {
				u.added = append(u.added, addition{path: p, at: left})
			}
		}
		return
	}
	p, ok := scope.Path(left)
	if !ok {
		return
	}
	if scope.Holds(left) {
		return
	}
	if from != nil {
		if q, own := scope.Part(from); own && q == p {
			return // an append to itself
		}
	}
	u.reset[p] = true
}

func (u *use) call(scope *pooled.Scope, call *ast.CallExpr) {
	name := rewrite.Callee(u.info, call)
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if sel != nil {
		if p, ok := scope.Receiver(sel); ok {
			switch {
			case resets(sel.Sel.Name) && p == "":
				u.resetsWhole(call)
			case resets(sel.Sel.Name), sel.Sel.Name == "WriteTo", strings.HasPrefix(sel.Sel.Name, "Set"):
				u.reset[p] = true
			case u.collects(sel):
				u.added = append(u.added, addition{path: p, at: call})
			}
		}
	}
	if rewrite.IsBuiltin(u.info, call, "append") {
		if p, ok := scope.Path(call.Args[0]); ok {
			u.added = append(u.added, addition{path: p, at: call})
		}
		return
	}
	for i, arg := range call.Args {
		p, ok := scope.Path(arg)
		if !ok {
			continue
		}
		if strings.HasPrefix(name, "fmt.") || strings.HasPrefix(name, "maps.") {
			u.shows(p, arg)
		}
		if p == "" && u.unknown(call) {
			u.lent = append(u.lent, call)
		}
		switch {
		case name == "io.Copy" && i == 0 && hasReset(u.info.TypeOf(arg)):
			u.added = append(u.added, addition{path: p, at: call})
		case p == "" && resets(called(call)) && u.followed(call) != nil:
			u.custom = append(u.custom, u.followed(call))
		case name == "io.Copy", rewrite.IsBuiltin(u.info, call, "clear"), rewrite.IsBuiltin(u.info, call, "delete"), resets(called(call)):
			u.reset[p] = true
		case decodes(name) && i == len(call.Args)-1:
			u.added = append(u.added, addition{p, call, u.info.TypeOf(arg)})
		case strings.HasPrefix(name, "fmt.Fprint") && i == 0 && holder(u.info.TypeOf(arg)):
			u.added = append(u.added, addition{path: p, at: call})
		}
	}
}

// shows notes that a part is read whole, if it is a map.
func (u *use) shows(path string, e ast.Expr) {
	if _, isMap := types.Unalias(u.info.TypeOf(e)).Underlying().(*types.Map); isMap {
		u.shown = append(u.shown, path)
	}
}

// unknown reports whether a call is one of a function value or of a method of an interface.
func (u *use) unknown(call *ast.CallExpr) bool {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, variable := u.info.Uses[fun].(*types.Var)
		return variable
	case *ast.SelectorExpr:
		method := u.info.Selections[fun]
		return method != nil && (method.Kind() == types.FieldVal || types.IsInterface(method.Recv()))
	}
	return false
}

// early returns the Puts before the only reset of a whole value, which comes later in the
// same function, and the additions before them.
func (u *use) early(pool *pooled.Pool) (put *pooled.Put, added []addition) {
	if len(u.resets) != 1 || len(u.reset)+len(u.custom) != 1 {
		return nil, nil
	}
	for _, scope := range pool.Scopes {
		body := scope.Body
		if u.resets[0] < body.Pos() || u.resets[0] > body.End() {
			continue
		}
		for i, p := range pool.Puts {
			if p.Call.Pos() < body.Pos() || p.Call.Pos() > u.resets[0] || deferred(body, p.Call) {
				continue
			}
			for _, a := range u.added {
				if a.path == "" && a.at.Pos() > body.Pos() && a.at.Pos() < p.Call.Pos() {
					added = append(added, a)
				}
			}
			if len(added) > 0 {
				return &pool.Puts[i], added
			}
		}
	}
	return nil, nil
}

// deferred reports whether a call is deferred, or part of a function literal.
func deferred(body *ast.BlockStmt, call *ast.CallExpr) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt, *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			found = found || n.Pos() <= call.Pos() && call.End() <= n.End()
		}
		return !found
	})
	return found
}

// hasReset reports whether a type has a method Reset.
func hasReset(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Reset")
	_, ok := obj.(*types.Func)
	return ok
}

// called returns the name of the function in a call.
func called(call *ast.CallExpr) string {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// collects reports whether a method adds to a value whose type has a method Reset.
func (u *use) collects(sel *ast.SelectorExpr) bool {
	method := u.info.Selections[sel]
	fn, ok := method.Obj().(*types.Func)
	if !ok {
		return false
	}
	recv := method.Recv()
	if len(method.Index()) > 1 { // of an embedded field
		recv = fn.Signature().Recv().Type()
	}
	obj, _, _ := types.LookupFieldOrMethod(recv, true, fn.Pkg(), "Reset")
	_, has := obj.(*types.Func)
	return has && (strings.HasPrefix(fn.Name(), "Write") || strings.HasPrefix(fn.Name(), "Read") || strings.HasPrefix(fn.Name(), "Print"))
}

// decodes reports whether a function decodes into its last argument, and leaves the
// rest of it alone.
func decodes(name string) bool {
	switch name {
	case "encoding/json.Unmarshal", "(*encoding/json.Decoder).Decode", "encoding/xml.Unmarshal", "(*encoding/xml.Decoder).Decode", "(*encoding/gob.Decoder).Decode":
		return true
	}
	return false
}

// ranges notes a loop that sets all elements to nil or zero, or deletes all keys.
func (u *use) ranges(scope *pooled.Scope, p string, body *ast.BlockStmt) {
	for _, s := range body.List {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 {
			continue
		}
		if index, ok := ast.Unparen(assign.Lhs[0]).(*ast.IndexExpr); ok {
			if q, own := scope.Path(index.X); own && q == p {
				u.reset[p] = true
			}
		}
	}
}
