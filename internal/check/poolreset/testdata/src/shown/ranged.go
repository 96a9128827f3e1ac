package shown

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

func (l *logger) sorted(w io.Writer, msg string) {
	e := lines.Get().(*entry)
	defer lines.Put(e) // want `e.data goes back to the pool with its contents, and nothing resets it after Get`
	e.msg = msg
	for _, h := range l.hooks {
		h.Fire(e)
	}
	for _, k := range slices.Sorted(maps.Keys(e.data)) {
		fmt.Fprintln(w, e.msg, k)
	}
}

func (l *logger) ranged(w io.Writer) {
	e := emptied.Get().(*entry)
	for _, h := range l.hooks {
		h.Fire(e)
	}
	for k := range e.data {
		fmt.Fprintln(w, k)
	}
	clear(e.data)
	emptied.Put(e)
}
