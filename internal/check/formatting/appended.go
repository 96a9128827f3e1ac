package formatting

import (
	"go/ast"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const (
	// longNumber is the length of the longest integer of 64 bits, with its sign.
	longNumber = 20
	// usualText is a guess for the length of a string among the values. A longer text moves
	// to the heap.
	usualText = 24
	// largest is the size of an array that is better not cleared for each text.
	largest = 256
)

// appended returns the expression of a text that the statements before append to an array on
// the stack, and the edits that insert these. It reports false if the values could change
// between the statements and the call at c, or if reading them may panic.
func appended(
	pass *analysis.Pass, c inspector.Cursor, parts []part, names *rewrite.Names,
) (text string, edits []analysis.TextEdit, ok bool) {
	source := rewrite.Of(pass)
	f := source.File(c)
	stmt, once := statement(c)
	if f == nil || !once || !source.Alone(c) {
		return "", nil, false
	}
	pos := stmt.Node().Pos()
	above, indent, alone := f.Above(pos)
	for _, name := range []string{"append", "make", "byte", "string", "int64", "uint64"} {
		alone = alone && f.Universe(name, pos)
	}
	conv, edits, imported := f.Import("strconv", pos)
	name, free := names.Choose(f, pos, "text", "msg", "message")
	if !alone || !imported || !free {
		return "", nil, false
	}
	size, lines := 0, ""
	for _, p := range parts {
		if p.value != nil && (!rewrite.Pure(pass.TypesInfo, p.value) || rewrite.Panics(pass.TypesInfo, p.value)) {
			return "", nil, false
		}
		call, length := p.appends(f, name, conv)
		size += length
		lines += indent + name + " = " + call + "\n"
	}
	room := 32
	for room < size {
		room *= 2
	}
	first := indent + name + " := make([]byte, 0, " + strconv.Itoa(room) + ")\n"
	return "string(" + name + ")", append(edits, rewrite.Insert(above, first+lines)), room <= largest
}

// appends returns the call that appends a part to a variable, and a length that the part
// seldom exceeds.
func (p part) appends(f *rewrite.File, to, conv string) (call string, length int) {
	if p.value == nil {
		return "append(" + to + ", " + quote(p.literal) + "...)", len(p.literal)
	}
	value := f.Text(p.value)
	switch {
	case p.to.function == "":
		return "append(" + to + ", " + value + "...)", usualText
	case p.to.function == "FormatBool":
		return conv + "AppendBool(" + to + ", " + value + ")", len("false")
	case p.to.function == "Itoa":
		value = "int64(" + value + ")"
	case p.to.convert != "":
		value = p.to.convert + "(" + value + ")"
	}
	name := strings.Replace(strings.Replace(p.to.function, "Itoa", "AppendInt", 1), "Format", "Append", 1)
	return conv + name + "(" + to + ", " + value + ", 10)", longNumber
}

// statement returns the statement in a list for which the expression at c is evaluated once. It
// reports false if there is none.
func statement(c inspector.Cursor) (stmt inspector.Cursor, ok bool) {
	for ; ; c = c.Parent() {
		switch c.Node().(type) {
		case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt:
			return c, rewrite.InList(c)
		case *ast.FuncLit, ast.Stmt, ast.Decl, *ast.File, nil:
			return c, false
		}
	}
}
