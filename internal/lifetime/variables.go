package lifetime

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// sameValue reports whether two registers hold the same value: one, or a variable that a function
// literal captures and that gets only one value.
func (c *Code) sameValue(x, y Operand) bool {
	a, b := c.definition(x), c.definition(y)
	if x == y || a == nil || b == nil || a.Op != Load || b.Op != Load || a.X[0] != b.X[0] {
		return x == y
	}
	variable := c.definition(a.X[0])
	if variable == nil || variable.Op != Alloc {
		return false
	}
	v, ok := variable.src.(ssa.Value)
	return ok && assignments(v) == 1
}

// assignments counts the stores into a variable, by the functions that capture it too.
func assignments(variable ssa.Value) (n int) {
	for _, use := range *variable.Referrers() {
		switch use := use.(type) {
		case *ssa.Store:
			n++
		case *ssa.MakeClosure:
			if i := slices.Index(use.Bindings, variable); i >= 0 {
				n += assignments(use.Fn.(*ssa.Function).FreeVars[i])
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default: // others may have its address
			n += 2
		}
	}
	return n
}
