package probe

import (
	"bytes"
	"slices"
)

// functionFinder is written a Go binary and finds which of the wanted functions it has. It
// looks for names between zero bytes, as in the table of functions, which remains when
// symbols are stripped (runtime/symtab.go).
type functionFinder struct {
	wanted, found []string
	data          []byte // the last write, and the end of the one before
}

func (l *functionFinder) Write(p []byte) (int, error) {
	const longest = 256 // bytes of a name
	end := l.data[max(0, len(l.data)-longest):]
	l.data = append(l.data[:copy(l.data, end)], p...)
	l.wanted = slices.DeleteFunc(l.wanted, func(name string) bool {
		has := bytes.Contains(l.data, []byte("\x00"+name+"\x00"))
		if has {
			l.found = append(l.found, name)
		}
		return has
	})
	return len(p), nil
}
