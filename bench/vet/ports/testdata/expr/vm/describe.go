package vm

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/arena"
)

// describe returns a failure in one line of room.
func describe(room *arena.Arena, i int, err error) string {
	b := arena.NewBuffer(room, 64)
	fmt.Fprintf(b, "%d: ", i)
	for j, part := range strings.Split(err.Error(), "\n") {
		if j > 0 {
			b.WriteString("; ")
		}
		b.WriteString(part)
	}
	return b.String()
}
