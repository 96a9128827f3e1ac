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
	return "", fmt.Errorf("no entry %d among %d", id, len(all)) // want `for an error: concatenate its text`
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
