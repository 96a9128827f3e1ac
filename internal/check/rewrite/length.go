package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// Length returns a number of iterations as an expression of type int that is not negative,
// for text at pos. It reports false if there is none.
func (f *File) Length(count Count, pos token.Pos) (string, bool) {
	text := f.Text(count.Over)
	switch {
	case count.Split != nil:
		pkg := ast.Unparen(count.Split.Fun).(*ast.SelectorExpr).X
		return f.Text(pkg) + ".Count(" + text + ", " + f.Text(count.Split.Args[1]) + ")+1", f.Means(count.Split, pos)
	case count.Len:
		return "len(" + text + ")", f.Universe("len", pos)
	}
	basic, ok := types.Unalias(f.pass.TypesInfo.TypeOf(count.Over)).(*types.Basic)
	ok = ok && (basic.Kind() == types.Int || basic.Kind() == types.UntypedInt)
	if count.Max >= 0 {
		if !ok {
			return strconv.FormatInt(count.Max, 10), true // of another integer type
		}
		if _, binary := count.Over.(*ast.BinaryExpr); binary {
			text = "(" + text + ")"
		}
		return text, true
	}
	ok = ok && f.AtLeast("go1.21") && f.Universe("max", pos)
	return "max(" + text + ", 0)", ok
}
