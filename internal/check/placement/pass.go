package placement

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// passOn adds the arena to the parameters of functions and to the arguments of calls.
func (w *writer) passOn(calls []call) (why string) {
	for c := range w.inspector.Preorder((*ast.FuncDecl)(nil)) {
		f := w.functionOf(c)
		if !w.enters[f.object] {
			continue
		}
		file, qualifier, why := w.file(c)
		if why != "" {
			return why
		}
		params := f.decl.Type.Params
		param := w.name + " *" + qualifier + "Arena"
		if len(params.List) > 0 {
			param += ", "
			if len(params.List[0].Names) == 0 {
				return "the parameters of " + f.decl.Name.Name + " have no names"
			}
		}
		w.edits = append(w.edits, rewrite.Insert(params.Opening+1, param))
		if w.wrapped[f.object] {
			if why := w.wrap(f, file); why != "" {
				return why
			}
		}
	}
	for _, c := range calls {
		if why := w.hand(c); why != "" {
			return why
		}
	}
	return ""
}

// hand hands the arena on in a call. Other calls of a function with a new parameter get
// none. If the function has a twin, they stay as they are.
func (w *writer) hand(c call) (why string) {
	e := c.Node().(*ast.CallExpr)
	fn := w.callee(e)
	arg := "nil"
	if c.inside && (w.enters[c.in.object] || c.in.object == w.root.object) {
		arg = w.name
	} else if w.wrapped[fn] {
		return ""
	}
	if w.source.File(c.Cursor) == nil {
		return "a file that calls a changed function may not be edited"
	}
	if len(e.Args) > 0 {
		arg += ", "
		if _, several := w.info.TypeOf(e.Args[0]).(*types.Tuple); several {
			return "a call hands on several results"
		}
	}
	w.edits = append(w.edits, rewrite.Insert(e.Lparen+1, arg))
	if w.wrapped[fn] {
		w.edits = append(w.edits, rewrite.Insert(w.calledName(e).End(), suffix))
	}
	return ""
}

// suffix ends the name of a function's twin.
const suffix = "In"

func (w *writer) calledName(e *ast.CallExpr) *ast.Ident {
	switch fun := e.Fun.(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

func (w *writer) callee(e *ast.CallExpr) *types.Func {
	fn, _ := w.info.Uses[w.calledName(e)].(*types.Func)
	if fn != nil {
		fn = fn.Origin()
	}
	return fn
}

// wrap renames a function and puts one with the old name in front of it.
func (w *writer) wrap(f function, file *rewrite.File) (why string) {
	name := f.decl.Name.Name
	if f.decl.Type.TypeParams != nil {
		return name + " has type parameters"
	}
	for c := range w.inspector.Preorder((*ast.Ident)(nil)) {
		if c.Node().(*ast.Ident).Name == name+suffix {
			return "the name " + name + suffix + " is taken"
		}
	}
	call, args := name+suffix, []string{"nil"}
	if f.decl.Recv != nil {
		recv := f.decl.Recv.List[0]
		if len(recv.Names) == 0 || recv.Names[0].Name == "_" {
			return "the receiver of " + name + " has no name"
		}
		call = recv.Names[0].Name + "." + call
	}
	for _, p := range f.decl.Type.Params.List {
		for _, id := range p.Names {
			if id.Name == "_" {
				return "the parameters of " + name + " have no names"
			}
			arg := id.Name
			if _, variadic := p.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	call += "(" + strings.Join(args, ", ") + ")"
	if f.decl.Type.Results != nil {
		call = "return " + call
	}
	header := strings.TrimSpace(file.Between(f.decl.Pos(), f.decl.Body.Lbrace))
	text := header + " {\n\t" + call + "\n}\n\n" +
		"// " + name + suffix + " is " + name + ", with its objects in " + w.name + ".\n"
	w.edits = append(w.edits, rewrite.Insert(f.decl.Type.Func, text), rewrite.Insert(f.decl.Name.End(), suffix))
	return ""
}
