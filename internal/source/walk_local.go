package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// largeLocal is the size in bytes from which on a variable alone makes stacks grow: new
// goroutines have 2 KiB.
const largeLocal = 4 << 10

// locals notes the large variables of a function that an assignment declares.
func (w *walker) locals(n *ast.AssignStmt) {
	if n.Tok != token.DEFINE {
		return
	}
	for _, l := range n.Lhs {
		if id, ok := l.(*ast.Ident); ok {
			w.local(id)
		}
	}
}

// local notes a large variable of a function. It is on the stack unless the compiler moves it
// to the heap.
func (w *walker) local(id *ast.Ident) {
	v, ok := w.info.Defs[id].(*types.Var)
	if !ok || w.function() == nil {
		return
	}
	if size := large(v.Type()); size >= largeLocal {
		w.add(id.Pos(), Allocation{Kind: Local, Text: id.Name, Type: w.name(v.Type()), Size: size})
	}
}
