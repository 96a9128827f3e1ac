// Package taken formats texts for errors and logs.
package taken

import (
	"fmt"
	"log"
)

type level int

func (l level) String() string { return "level" }

type server struct {
	log    *log.Logger
	served int
	name   string
}

func (s *server) rename() string {
	s.name = "other"
	return s.name
}

func (s *server) next() *log.Logger { s.served++; return s.log }

type embeds struct{ *log.Logger }

func (e embeds) Output(depth int, text string) error { return nil }

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

func (s *server) handle(path string, size int) {
	s.log.Printf("served %s: %d bytes, %d in all\n", path, size, s.served) // want `use Output`
	log.Printf("%s: %d", path, size)                                       // want `use Output`
}

// The logger is evaluated once more for nothing, and before the values.
func (s *server) counted() {
	s.next().Printf("served %d", s.served) // want `use Output`
}

func (e embeds) hidden(n int) {
	e.Printf("n=%d", n) // want `use Output`
}

func later(n int) {
	defer log.Printf("n=%d", n) // want `use Output`
	log.Printf("n=%x", n)
	log.Print("n=", n)
}
