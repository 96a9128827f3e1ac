package evidence

import "strings"

// MuchOwnWork is the share of CPU time of one line, without the functions that it calls, from
// which on it is worth a look for large values that it copies.
const MuchOwnWork = 0.1

// copying are the runtime's functions that copy values.
var copying = []string{"runtime.duffcopy", "runtime.memmove", "runtime.typedmemmove"}

// OwnWork returns the share of CPU time of each line of the program, without the functions
// that it calls, except the ones that copy values.
func (e *Evidence) OwnWork() map[Frame]float64 {
	shares := map[Frame]float64{}
	if e.CPU == nil {
		return shares
	}
	for _, stack := range e.CPU.Stacks {
		path := e.Frames(stack)
		for len(path) > 0 && isCopying(path[0].Function) {
			path = path[1:]
		}
		if len(path) > 0 && e.Owns(path[0]) {
			shares[path[0]] += e.Of(stack).Work
		}
	}
	return shares
}

func isCopying(function string) bool {
	for _, name := range copying {
		if strings.HasPrefix(function, name) {
			return true
		}
	}
	return false
}
