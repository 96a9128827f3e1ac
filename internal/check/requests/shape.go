package requests

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

const (
	grpcPath  = "google.golang.org/grpc"
	arenaPath = "github.com/heapwright/heapwright/arena"
	ours      = arenaPath + "/arenagrpc"
)

// concerned reports whether the package has functions with messages among their
// parameters, or servers. Generated files count as neither, and the protobuf runtime
// keeps nothing.
func (p *program) concerned() bool {
	if strings.HasPrefix(p.pass.Pkg.Path(), "google.golang.org/protobuf/") {
		return false
	}
	served := false
	for _, imported := range p.pass.Pkg.Imports() {
		switch imported.Path() {
		case ours:
			return true
		case grpcPath:
			served = true
		}
	}
	found := false
	known := map[types.Type]bool{}
	for c := range p.root.Children() {
		file := c.Node().(*ast.File)
		switch {
		case !p.declares(file, known) && !(served && registers(c)):
		case ast.IsGenerated(file):
			p.generated[p.pass.Fset.File(file.FileStart)] = true
		default:
			found = true
		}
	}
	return found
}

// declares reports whether a file declares a function with messages among its
// parameters.
func (p *program) declares(file *ast.File, known map[types.Type]bool) bool {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		for _, field := range fn.Type.Params.List {
			if t := p.pass.TypesInfo.TypeOf(field.Type); hasMessages(t, known) {
				return true
			}
		}
	}
	return false
}

// hasMessages reports whether values of a type are messages, or slices or maps of
// them. It keeps the answers for named types in known.
func hasMessages(t types.Type, known map[types.Type]bool) bool {
	elem := types.Unalias(t)
	switch u := elem.(type) {
	case *types.Slice:
		return hasMessages(u.Elem(), known)
	case *types.Map:
		return hasMessages(u.Elem(), known)
	case *types.Pointer:
		elem = types.Unalias(u.Elem())
	}
	if _, ok := elem.(*types.Named); !ok {
		return false
	}
	message, seen := known[elem]
	if !seen {
		message = isMessage(t)
		known[elem] = message
	}
	return message
}

// registers reports whether a file registers a service.
func registers(file inspector.Cursor) bool {
	for c := range file.Preorder((*ast.CallExpr)(nil)) {
		if sel, ok := c.Node().(*ast.CallExpr).Fun.(*ast.SelectorExpr); ok && (isRegister(sel.Sel.Name) || sel.Sel.Name == "RegisterService") {
			return true
		}
	}
	return false
}

func isRegister(name string) bool {
	return strings.HasPrefix(name, "Register") && strings.HasSuffix(name, "Server")
}

// isMessage reports whether a type is a protobuf message.
func isMessage(t types.Type) bool {
	m, _, _ := types.LookupFieldOrMethod(t, false, nil, "ProtoReflect")
	fn, ok := m.(*types.Func)
	return ok && fn.Signature().Params().Len() == 0
}

// handles reports whether a method has the shape of a unary handler.
func handles(sig *types.Signature) bool {
	return sig.Params().Len() == 2 && sig.Results().Len() == 2 && isContext(sig.Params().At(0).Type()) &&
		isMessage(sig.Params().At(1).Type()) && isMessage(sig.Results().At(0).Type())
}

// request is the index of a handler's request among its parameters.
const request = 2

func isContext(t types.Type) bool { return isNamed(t, "context", "Context") }

// isNamed reports whether a type, or the one that it points to, has a name.
func isNamed(t types.Type, path, name string) bool {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// accessor returns the field that a method of a generated message reads or sets.
func accessor(fn *types.Func) (field string, sets bool) {
	sig := fn.Signature()
	if sig.Recv() == nil || !isMessage(sig.Recv().Type()) {
		return "", false
	}
	if name, ok := strings.CutPrefix(fn.Name(), "Get"); ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 {
		return name, false
	}
	if name, ok := strings.CutPrefix(fn.Name(), "Set"); ok && sig.Params().Len() == 1 && sig.Results().Len() == 0 {
		return name, true
	}
	return "", false
}

// fieldName is the name of a message's field, also in the opaque API.
func fieldName(v *types.Var) string { return strings.TrimPrefix(v.Name(), "xxx_hidden_") }
