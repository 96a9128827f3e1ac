package reuse

import (
	"go/ast"
	"strconv"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Names chooses names for variables that fixes declare. It gives no name twice in one
// function, so that the fixes of a check can be made together.
type Names struct{ taken map[name]bool }

type name struct {
	fn   ast.Node
	text string
}

// New returns a name for a variable that the statement at c declares: base or, where the
// function mentions that, base with a number.
func (n *Names) New(file *rewrite.File, c inspector.Cursor, base string) string {
	fn := rewrite.Function(c)
	used := map[string]bool{}
	for id := range fn.Preorder((*ast.Ident)(nil)) {
		used[id.Node().(*ast.Ident).Name] = true
	}
	for i := 1; ; i++ {
		text := base
		if i > 1 {
			text += strconv.Itoa(i)
		}
		if key := (name{fn.Node(), text}); !used[text] && !n.taken[key] && file.Free(text, c.Node().Pos()) {
			if n.taken == nil {
				n.taken = map[name]bool{}
			}
			n.taken[key] = true
			return text
		}
	}
}
