package arena

import (
	"fmt"
	"io"
)

// A Leak is an arena that was never freed.
type Leak struct {
	Bytes   int64  // alive in it; unknown, so 0, if it was collected meanwhile
	Objects int64  // likewise
	Stack   string // the stack that made it
}

// WriteLeaks reports all [Leaks] to w and returns their number, or an error of w.
// Without the tag arenadebug it writes that leaks are not known, and returns 0. Call
// it at the end of TestMain or main: no arena may be in use.
func WriteLeaks(w io.Writer) (int, error) {
	leaks, known := Leaks()
	if !known {
		_, err := fmt.Fprintln(w, "arena: leaks are not known; build with -tags arenadebug")
		return 0, err
	}
	for _, l := range leaks {
		if _, err := fmt.Fprintf(w, "arena: never freed: %d objects, %d bytes, in an arena made at\n%s", l.Objects, l.Bytes, l.Stack); err != nil {
			return 0, err
		}
	}
	return len(leaks), nil
}
