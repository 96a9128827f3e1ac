// Package failing formats texts for errors.
package failing

import "fmt"

type level int

func (l level) String() string { return "level" }

type server struct{ name string }

func (s *server) rename() string {
	s.name = "other"
	return s.name
}

func missing(id int, all map[int]string) (string, error) {
	return "", fmt.Errorf("no entry %d among %d", id, len(all)) // want `for an error: make its text without fmt`
}

func wrapped(name string, err error) error {
	if name == "" {
		return fmt.Errorf("unnamed: %w", err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func others(l level, n int, f float64, err error) []error {
	return []error{
		fmt.Errorf("at %d", l), fmt.Errorf("got %f", f), fmt.Errorf("%4d of them", n), fmt.Errorf("%d: %v", n, err),
		fmt.Errorf("constant"),
	}
}

// An operand is read behind the call, an argument before.
func (s *server) ordered() error { return fmt.Errorf("%s-%s", s.name, s.rename()) } // want `for an error`

func dropped(n int) {
	go fmt.Errorf("n=%d", n) // want `for an error`
}

func shadowed(errors []string) error {
	return fmt.Errorf("%d errors", len(errors)) // want `for an error`
}

func named(name, kind string, n int8) error {
	return fmt.Errorf("%s: %d of %s", name, n, kind) // want `for an error`
}

// The text is read before the statement, where nothing may change it or panic.
func (s *server) counted(all []int, n uint16, big uint64, text string) (int, error) {
	switch {
	case n == 0:
		return 0, fmt.Errorf("none of %d for %s at %d", big, text, n) // want `for an error`
	case n == 1:
		return 0, fmt.Errorf("%d and %d", all[0], n) // want `for an error`
	case n == 2:
		return len(s.rename()), fmt.Errorf("%d and %d", n, big) // want `for an error`
	}
	if err := fmt.Errorf("%d > %d", n, big); text == "" { // want `for an error`
		return 1, err
	}
	var err error
	err = fmt.Errorf("%d < %d: %t", n, -1*int64(big), text == "") // want `for an error`
	return 2, err
}
