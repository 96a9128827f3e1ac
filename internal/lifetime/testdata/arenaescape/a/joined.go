package a

import (
	"errors"
	"fmt"

	"github.com/heapwright/heapwright/arena"
)

type quoted struct{ text string }

func (q quoted) Error() string { return q.text }

func joined() error {
	a := arena.NewArena()
	defer a.Free()
	return errors.Join(errors.New("no text"), quoted{arena.String(a, "text")}) // want `memory of the arena a is returned`
}

// Join copies the list.
func joinedList(fields []string) error {
	a := arena.NewArena()
	defer a.Free()
	var all []error
	for i := range fields {
		all = arena.Append(a, all, fmt.Errorf("%s %d", arena.String(a, "field"), i))
	}
	return errors.Join(all...)
}
