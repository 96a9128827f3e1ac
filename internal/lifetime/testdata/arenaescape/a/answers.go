package a

import (
	"errors"

	"github.com/heapwright/heapwright/arena"
)

func lengthError(s *string) error {
	if len(*s) > 3 {
		return errors.New("long")
	}
	return nil
}

// The loop takes the answers of others.
func unanswered(files []string, errs chan error) (first error) {
	a := arena.NewArena()
	defer a.Free()
	own := make(chan error, len(files))
	for _, f := range files {
		p := arena.New[string](a)
		*p = f
		go func() { own <- lengthError(p) }() // want `a goroutine uses p, memory of the arena a, which ends in this function`
	}
	for range files {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// The loop ends before it takes all answers that are not sent.
func skipped(files []string) {
	a := arena.NewArena()
	defer a.Free()
	errs := make(chan error, len(files))
	for _, f := range files {
		p := arena.New[string](a)
		*p = f
		go func() { errs <- lengthError(p) }() // want `a goroutine uses p, memory of the arena a, which ends in this function`
	}
	for _, f := range files {
		if f == "" {
			<-errs
		}
	}
}

// After the first error nobody waits for the others.
func firstError(files []string) error {
	a := arena.NewArena()
	defer a.Free()
	errs := make(chan error, len(files))
	for _, f := range files {
		p := arena.New[string](a)
		*p = f
		go func() { errs <- lengthError(p) }() // want `a goroutine uses p, memory of the arena a, which ends in this function`
	}
	for range files {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}
