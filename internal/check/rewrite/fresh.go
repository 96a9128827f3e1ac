package rewrite

import (
	"go/token"
	"go/types"
)

// Names chooses names for variables that fixes declare in functions. It gives no name
// twice in one scope, so that the fixes of a check can be made together.
type Names struct{ taken map[taken]bool }

type taken struct {
	scope *types.Scope
	name  string
}

// Choose returns the first name that denotes nothing at pos, and that the innermost block
// around pos declares nowhere. It reports false if there is none.
func (n *Names) Choose(f *File, pos token.Pos, names ...string) (string, bool) {
	scope := f.scope(pos - 1) // of a statement's list: at pos the statement's own begins
	for _, name := range names {
		if f.Free(name, pos) && scope.Lookup(name) == nil && !f.Excluded(name) && !n.taken[taken{scope, name}] {
			if n.taken == nil {
				n.taken = map[taken]bool{}
			}
			n.taken[taken{scope, name}] = true
			return name, true
		}
	}
	return "", false
}
