package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Hoister moves values of functions to variables of the package.
type Hoister struct {
	pass  *analysis.Pass
	taken map[string]bool
}

// NewHoister returns a Hoister for the fixes of one pass. It gives no name twice.
func NewHoister(pass *analysis.Pass) *Hoister {
	return &Hoister{pass: pass, taken: map[string]bool{}}
}

// Place is where a variable of the package can be declared: above the function that is to
// use it.
type Place struct {
	h    *Hoister
	file *File
	fn   *ast.FuncDecl
	at   token.Pos
}

// Above returns the place above the function around c. It reports false if no fix may
// edit the file, or if the function may run before the variable has its value: Go orders
// the variables of a package without regard to calls by way of interfaces.
func (h *Hoister) Above(c inspector.Cursor) (Place, bool) {
	f := Of(h.pass).File(c)
	for fn := range c.Enclosing((*ast.FuncDecl)(nil)) {
		decl := fn.Node().(*ast.FuncDecl)
		return Place{h: h, file: f, fn: decl, at: start(decl, decl.Doc)}, f != nil && !early(h.pass, decl)
	}
	return Place{}, false
}

// AboveDecl is Above for a variable without a value, which every function may use at any
// time. c is the function's declaration.
func (h *Hoister) AboveDecl(c inspector.Cursor) (Place, bool) {
	f, decl := Of(h.pass).File(c), c.Node().(*ast.FuncDecl)
	return Place{h: h, file: f, fn: decl, at: start(decl, decl.Doc)}, f != nil
}

// Means reports whether every name in the expressions denotes at the place what it
// denotes in the function.
func (p Place) Means(parts ...ast.Expr) bool {
	for _, e := range parts {
		if !p.file.Means(e, p.at) {
			return false
		}
	}
	return true
}

// Import is File.Import for text at the place.
func (p Place) Import(pkg string) (qualifier string, edits []analysis.TextEdit, ok bool) {
	return p.file.Import(pkg, p.at)
}

// Declare returns the name of a new variable, which is the function's with a suffix, and
// the edit that declares it. use is where the function is to name it.
func (p Place) Declare(suffix, value string, use ast.Node) (name string, edit analysis.TextEdit) {
	name = p.name(suffix, use)
	return name, Insert(p.at, "var "+name+" = "+value+"\n\n")
}

// DeclareZero is Declare for the zero value of a type.
func (p Place) DeclareZero(suffix, typ string, use ast.Node) (name string, edit analysis.TextEdit) {
	name = p.name(suffix, use)
	return name, Insert(p.at, "var "+name+" "+typ+"\n\n")
}

// name returns a name that nothing in the package has, in this build or another: the
// function's with a suffix, or with its receiver's type before it, or with a number.
func (p Place) name(suffix string, use ast.Node) string {
	names := []string{Unexported(p.fn.Name.Name) + suffix}
	if of := p.receiver(); of != "" {
		names = append(names, Unexported(of)+p.fn.Name.Name+suffix)
	}
	for i := 0; ; i++ {
		name := names[0] + fmt.Sprint(i-len(names)+2)
		if i < len(names) {
			name = names[i]
		}
		if p.h.free(name) && p.file.Free(name, use.Pos()) && !p.file.Excluded(name) {
			p.h.taken[name] = true
			return name
		}
	}
}

// receiver returns the name of the type that the function is a method of, or "".
func (p Place) receiver() string {
	if p.fn.Recv == nil {
		return ""
	}
	typ := p.fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	id, _ := typ.(*ast.Ident) // the type is not generic
	if id == nil || !token.IsExported(p.fn.Name.Name) {
		return ""
	}
	return id.Name
}

// free reports whether neither the package nor an import of one of its files has a
// name, nor another fix.
func (h *Hoister) free(name string) bool {
	if h.taken[name] || h.pass.Pkg.Scope().Lookup(name) != nil {
		return false
	}
	for _, file := range h.pass.Files {
		if s := h.pass.TypesInfo.Scopes[file]; s != nil && s.Lookup(name) != nil {
			return false
		}
	}
	return true
}

// Unexported returns a name with its first word in lower case. An initialism is one
// word: UGCPolicy becomes ugcPolicy.
func Unexported(name string) string {
	letters := []rune(name)
	for i, r := range letters {
		startsNext := i > 0 && i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if !unicode.IsUpper(r) && !unicode.IsDigit(r) || startsNext {
			break
		}
		letters[i] = unicode.ToLower(r)
	}
	return string(letters)
}

// Once reports whether the code at c is of a test, or runs once: in init, in main outside
// of loops, in functions for sync.Once and its like, or where a variable of the package
// gets the result.
func Once(pass *analysis.Pass, c inspector.Cursor) bool {
	if strings.HasSuffix(pass.Fset.Position(c.Node().Pos()).Filename, "_test.go") {
		return true
	}
	for p := range c.Enclosing() {
		switch n := p.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.CallExpr:
			switch Callee(pass.TypesInfo, n) {
			case "(*sync.Once).Do", "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues":
				return true
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if v := Variable(pass.TypesInfo, left); v != nil && v.Parent() == pass.Pkg.Scope() {
					return true
				}
			}
		case *ast.FuncDecl:
			return n.Recv == nil && (n.Name.Name == "init" || n.Name.Name == "main" && pass.Pkg.Name() == "main")
		}
	}
	return true // a variable of the package is initialized once
}
