package sorting

import (
	"go/ast"
	"strings"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// writer writes a comparison for package slices.
type writer struct {
	file *rewrite.File
	less *comparison
	typ  string // the type of an element
	cmp  string // the qualifier of package cmp
	a, b string // the elements
	c    string // the order of a key
}

// function returns the text of the function. It reports false if no name is left.
func (w *writer) function() (string, bool) {
	if !w.name() {
		return "", false
	}
	var b strings.Builder
	b.WriteString("func(" + w.a + ", " + w.b + " " + w.typ + ") int {")
	last := len(w.less.keys) - 1
	for _, k := range w.less.keys[:last] {
		b.WriteString("\nif " + w.c + " := " + w.order(k) + "; " + w.c + " != 0 {\nreturn " + w.c + "\n}")
	}
	k := w.less.keys[last]
	switch {
	case k.float:
		x, y := w.sides(k)
		b.WriteString("\nswitch {\ncase " + x + " < " + y + ":\nreturn -1\n")
		b.WriteString("case " + x + " > " + y + ":\nreturn 1\n}\nreturn 0\n}")
	case last == 0:
		b.WriteString(" return " + w.order(k) + " }")
	default:
		b.WriteString("\nreturn " + w.order(k) + "\n}")
	}
	return b.String(), true
}

// order returns an expression for the order of a key.
func (w *writer) order(k key) string {
	x, y := w.sides(k)
	switch {
	case k.method:
		return x + ".Compare(" + y + ")"
	case k.compare != nil:
		return w.file.Text(k.compare) + "(" + x + ", " + y + ")"
	}
	return w.cmp + "Compare(" + x + ", " + y + ")"
}

// sides returns the text of a key of the elements that come first and second.
func (w *writer) sides(k key) (x, y string) {
	a, b := w.a, w.b
	if k.descending {
		a, b = b, a
	}
	return w.text(k.left, a), w.text(k.right, b)
}

// text returns the text of an expression with the name of its element.
func (w *writer) text(e ast.Expr, name string) string {
	var b strings.Builder
	text, at := w.file.Text(e), e.Pos()
	ast.Inspect(e, func(n ast.Node) bool {
		part, ok := n.(ast.Expr)
		if !ok || w.less.side(part) == 0 {
			return true
		}
		b.WriteString(text[at-e.Pos():part.Pos()-e.Pos()] + name)
		at = part.End()
		return false
	})
	return b.String() + text[at-e.Pos():]
}

// name chooses names that the keys and the type do not mention. It reports false if they
// mention all.
func (w *writer) name() bool {
	taken := map[string]bool{strings.TrimSuffix(w.cmp, "."): true}
	for _, word := range strings.FieldsFunc(w.typ, func(r rune) bool { return strings.ContainsRune("*[]. ,", r) }) {
		taken[word] = true
	}
	for _, k := range w.less.keys {
		for _, e := range []ast.Expr{k.left, k.right, k.compare} {
			if e == nil {
				continue
			}
			ast.Inspect(e, func(n ast.Node) bool {
				if part, ok := n.(ast.Expr); ok && w.less.side(part) != 0 {
					return false
				}
				if id, ok := n.(*ast.Ident); ok {
					taken[id.Name] = true
				}
				return true
			})
		}
	}
	for _, pair := range [][2]string{w.less.names, {"a", "b"}, {"x", "y"}, {"left", "right"}, {"first", "second"}} {
		if pair[0] != "" && pair[1] != "" && !taken[pair[0]] && !taken[pair[1]] {
			w.a, w.b = pair[0], pair[1]
			break
		}
	}
	for _, name := range []string{"c", "order", "n"} {
		if !taken[name] && name != w.a && name != w.b {
			w.c = name
			break
		}
	}
	return w.a != "" && w.c != ""
}
