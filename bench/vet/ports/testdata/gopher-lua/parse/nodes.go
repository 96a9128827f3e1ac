package parse

import (
	"io"

	"github.com/yuin/gopher-lua/ast"

	"github.com/heapwright/heapwright/arena"
)

// ParseIn is Parse with the tree in a. Strings of the tree are of the heap.
func ParseIn(a *arena.Arena, reader io.Reader, name string) ([]ast.Stmt, error) {
	return parse(&Lexer{scanner: NewScanner(reader, name), PrevTokenType: TNil, nodes: a})
}

func inTree[T any](lx yyLexer, v T) *T {
	n := arena.New[T](lx.(*Lexer).nodes)
	*n = v
	return n
}
