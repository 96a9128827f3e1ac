package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Most is the capacity in bytes up to which a pool takes a buffer back. Package fmt has
// the same bound for its own (go.dev/issue/23199).
const Most = "64<<10"

// Pool is a new pool for a value that the statement at a cursor makes.
type Pool struct {
	name   string // the variable
	typ    string // the type of the values, as in "*bytes.Buffer"
	indent string // a line break and the statement's indentation
	edits  []analysis.TextEdit
}

// NewPool returns a pool above the function around the statement at c. value is the
// expression that makes a value of type typ, and parts are the expressions of the function
// in both texts. It reports false where no pool can be declared, or where the deferred Put
// would not run once for each value.
func NewPool(
	place rewrite.Place, file *rewrite.File, c inspector.Cursor, suffix, typ, value string, parts ...ast.Expr,
) (Pool, bool) {
	stmt, ok := c.Node().(ast.Stmt)
	if !ok || c.ParentEdgeKind() != edge.BlockStmt_List || Looped(c) || !place.Means(parts...) {
		return Pool{}, false
	}
	sync, edits, ok := place.Import("sync")
	if !ok {
		return Pool{}, false
	}
	_, indent, ok := file.Above(stmt.Pos())
	if !ok {
		return Pool{}, false
	}
	result := "interface{}"
	if file.AtLeast("go1.18") && file.Universe("any", stmt.Pos()) {
		result = "any"
	}
	name, declared := place.Declare(suffix, sync+"Pool{New: func() "+result+" { return "+value+" }}", stmt)
	return Pool{name: name, typ: typ, indent: "\n" + indent, edits: append(edits, declared)}, true
}

// Edits are the changes outside of the statement.
func (p Pool) Edits() []analysis.TextEdit { return p.edits }

// Take returns the statements that take a value as v and put it back in the end.
func (p Pool) Take(v string) []string {
	return []string{p.get(v), fmt.Sprintf("defer %s.Put(%s)", p.name, v)}
}

// TakeBuffer is Take for an empty bytes.Buffer. A large one is dropped: it would serve
// small requests, too, and so live on.
func (p Pool) TakeBuffer(v string) []string {
	return []string{p.get(v), v + ".Reset()", "defer func() {",
		fmt.Sprintf("\tif %s.Cap() <= %s { // the pool would keep a large one forever", v, Most),
		fmt.Sprintf("\t\t%s.Put(%s)", p.name, v), "\t}", "}()"}
}

// TakeSlice takes a pointer to a slice as pooled and the slice, empty, as v. It puts the
// slice back as it has grown.
func (p Pool) TakeSlice(pooled, v string) []string {
	return []string{p.get(pooled), fmt.Sprintf("%s := (*%s)[:0]", v, pooled), "defer func() {",
		fmt.Sprintf("\tif cap(%s) <= %s { // the pool would keep a large one forever", v, Most),
		fmt.Sprintf("\t\t*%s = %s", pooled, v), fmt.Sprintf("\t\t%s.Put(%s)", p.name, pooled), "\t}", "}()"}
}

func (p Pool) get(v string) string { return fmt.Sprintf("%s := %s.Get().(%s)", v, p.name, p.typ) }

// Lines joins statements into a text for the place of one.
func (p Pool) Lines(statements ...string) string { return strings.Join(statements, p.indent) }

// Import imports a package for the texts at a place and at a node of the function.
func Import(
	file *rewrite.File, place rewrite.Place, pkg string, n ast.Node,
) (qualifier string, edits []analysis.TextEdit, ok bool) {
	if qualifier, _, ok = place.Import(pkg); !ok {
		return "", nil, false
	}
	at, edits, ok := file.Import(pkg, n.Pos())
	return qualifier, edits, ok && at == qualifier
}

// Looped reports whether the function around c comes to it more than once.
func Looped(c inspector.Cursor) bool {
	for p := range c.Enclosing() {
		switch p.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			return true
		case *ast.FuncDecl, *ast.FuncLit:
			for branch := range p.Preorder((*ast.BranchStmt)(nil)) {
				if branch.Node().(*ast.BranchStmt).Tok == token.GOTO {
					return true
				}
			}
			return false
		}
	}
	return false
}
