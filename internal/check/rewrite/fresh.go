package rewrite

import (
	"go/token"
	"go/types"
)

// Names chooses names for variables that fixes declare in functions. It gives no name
// twice in one scope, so that the fixes of a check can be made together.
type Names struct{ taken map[use]bool }

type use struct {
	scope *types.Scope
	name  string
}

// Choose returns the first name that denotes nothing at pos, and that the innermost block
// around pos declares nowhere. It reports false if there is none.
func (n *Names) Choose(f *File, pos token.Pos, names ...string) (string, bool) {
	// At pos the scope of the statement itself begins.
	scope := f.scope(pos - 1)
	for _, name := range names {
		if f.Free(name, pos) && scope.Lookup(name) == nil && !f.Excluded(name) && !n.taken[use{scope, name}] {
			if n.taken == nil {
				n.taken = map[use]bool{}
			}
			n.taken[use{scope, name}] = true
			return name, true
		}
	}
	return "", false
}
