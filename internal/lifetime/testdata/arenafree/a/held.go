package a

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/arena"
)

type errand struct {
	*arena.Arena
	args []string
}

func newErrand(line string) *errand {
	e := &errand{Arena: arena.NewArena()}
	for w := range strings.FieldsSeq(line) {
		e.args = arena.Append(e.Arena, e.args, w)
	}
	return e
}

func runAll(script string) {
	for line := range strings.Lines(script) {
		fmt.Println(newErrand(line).args) // want `nobody can free this arena`
	}
}

func runFirst(script string) {
	e := newErrand(script) // want `the arena of e is not freed on the path that ends at line \d+; defer e.Free\(\)`
	fmt.Println(e.args)
}
