package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/plain"
)

// Exit codes of every command.
const (
	exitOK         = 0
	exitFailed     = 1 // it could not be done, or was interrupted
	exitUsage      = 2 // the command line is wrong
	exitFound      = 3 // a gate or check found something
	exitIncomplete = 4 // part of it could not be done, the rest is kept
)

// usageError is a mistake in the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// usagef returns a usageError.
func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// incompleteError says what part could not be done.
type incompleteError struct{ error }

// errFound says that a check found something; it has said what.
var errFound = errors.New("found")

// exitCode writes an error for people and returns the code to end with.
func exitCode(stderr io.Writer, command string, err error) int {
	var usage usageError
	var incomplete incompleteError
	code := exitFailed
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errFound):
		return exitFound
	case errors.As(err, &usage):
		code = exitUsage
	case errors.As(err, &incomplete):
		code = exitIncomplete
	}
	fmt.Fprintf(stderr, "heapwright %s: %s\n", command, harmless(err))
	return code
}

// harmless keeps the lines of errors that were joined; what names of files and
// services bring along, a terminal does not get.
func harmless(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for i, l := range lines {
		lines[i] = plain.Harmless(l)
	}
	return strings.Join(lines, "\n")
}
