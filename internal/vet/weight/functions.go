package weight

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// function is a function of the source: declared, or a literal.
type function struct {
	pkg, name  string // the symbol's parts without type arguments: "p", "(*T).M.func1"
	main       bool   // package main, whose symbols begin with "main." unless it is tested
	file       string // absolute
	start, end int    // lines
	literals   []function
	initial    bool // not a function but the whole file: the compiler's init initializes package-level variables
}

// functions are the functions of some packages by name, without the package.
type functions map[string][]function

// addFile adds the functions of a file. A file that cannot be parsed has none.
func (fs functions) addFile(pkg, name string) {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if f == nil {
		return
	}
	whole := function{pkg: pkg, main: f.Name.Name == "main", name: "init", file: name, start: 1,
		end: fset.Position(f.FileEnd).Line, initial: true}
	fs["init"] = append(fs["init"], whole)
	for _, decl := range f.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok {
			fs.add(fset, d, function{pkg: pkg, main: f.Name.Name == "main",
				name: receiver(d) + d.Name.Name, file: name})
		}
	}
}

// add adds a function and the literals in it. The compiler numbers those in their
// order, beginning again in each literal: F.func1, F.func2, F.func2.1
// (cmd/compile/internal/ir, closureName).
func (fs functions) add(fset *token.FileSet, n ast.Node, f function) function {
	f.start, f.end = fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
	suffix := ".func"
	if _, literal := n.(*ast.FuncLit); literal {
		suffix = "."
	}
	ast.Inspect(n, func(m ast.Node) bool {
		lit, ok := m.(*ast.FuncLit)
		if !ok || lit == n {
			return true
		}
		inner := f
		inner.name, inner.literals = fmt.Sprint(f.name, suffix, len(f.literals)+1), nil
		f.literals = append(f.literals, fs.add(fset, lit, inner))
		return false
	})
	fs[f.name] = append(fs[f.name], f)
	return f
}

// receiver returns the receiver's part of a method's name.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return ""
	}
	t, pointer := ast.Unparen(d.Recv.List[0].Type), false
	if star, ok := t.(*ast.StarExpr); ok {
		t, pointer = ast.Unparen(star.X), true
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	id, ok := t.(*ast.Ident)
	switch {
	case !ok:
		return ""
	case pointer:
		return "(*" + id.Name + ")."
	}
	return id.Name + "."
}

// find returns the function that a profile calls name, in a file of the given
// name.
func (fs functions) find(pkg, name, file string) (found function, ok bool) {
	most := -1
	for _, f := range fs[name] {
		same := commonEnd(f.file, file)
		near := same >= 2 || same == 1 && atRoot(f.file)
		if of := pkg == f.pkg || pkg == "main" && f.main && near; of && same > most && (same > 0 || !f.initial) {
			found, most = f, same
		}
	}
	return found, most >= 0
}

// inlined is find for a function whose name follows the names of the functions that it is
// inlined into, perhaps of another package.
func (fs functions) inlined(name, file string) (function, bool) {
	for _, rest, more := strings.Cut(name, "."); more; _, rest, more = strings.Cut(rest, ".") {
		for _, f := range fs[rest] {
			if same := commonEnd(f.file, file); same >= 2 || same == 1 && atRoot(f.file) {
				return f, true
			}
		}
	}
	return function{}, false
}

// literal returns the literal that began so many lines below the function in the
// profile, or the only one.
func (f function) literal(below int) (function, bool) {
	for _, l := range f.literals {
		if l.start-f.start == below || len(f.literals) == 1 {
			return l, true
		}
	}
	return function{}, false
}

// commonEnd returns the number of elements in which two paths agree from the end.
func commonEnd(a, b string) int {
	as, bs := strings.Split(filepath.ToSlash(a), "/"), strings.Split(strings.ReplaceAll(b, `\`, "/"), "/")
	n := 0
	for n < len(as) && n < len(bs) && as[len(as)-1-n] == bs[len(bs)-1-n] {
		n++
	}
	return n
}

// atRoot reports whether a file lies in the root of its module, whose folder may
// have another name where the program was built.
func atRoot(file string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(file), "go.mod"))
	return err == nil
}
