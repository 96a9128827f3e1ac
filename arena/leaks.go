package arena

import (
	"fmt"
	"io"
)

// A Leak is an arena that was never freed.
type Leak struct {
	Bytes   int64  // alive in it; unknown, so 0, if it was collected meanwhile
	Objects int64  // likewise
	Stack   string // who made it
}

// WriteLeaks reports all [Leaks] to w and returns their number. At the end of a
// test's TestMain or of main it is the leak report of the program. Arenas must
// not be in use meanwhile.
func WriteLeaks(w io.Writer) (int, error) {
	if !debugging {
		_, err := fmt.Fprintln(w, "arena: leaks are not known; build with -tags arenadebug")
		return 0, err
	}
	leaks := Leaks()
	for _, l := range leaks {
		if _, err := fmt.Fprintf(w, "arena: never freed: %d objects, %d bytes, in an arena made at\n%s", l.Objects, l.Bytes, l.Stack); err != nil {
			return 0, err
		}
	}
	return len(leaks), nil
}
