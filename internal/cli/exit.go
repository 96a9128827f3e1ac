package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// Exit codes of every command.
const (
	exitOK     = 0
	exitFailed = 1 // it could not be done, or was interrupted
	exitUsage  = 2 // the command line is wrong
	exitFound  = 3 // a gate or check found something
)

// usageError is a mistake in the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// usagef returns a usageError.
func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// errFound says that a check found something; it has said what.
var errFound = errors.New("found")

// exitCode writes an error for people and returns the code to end with.
func exitCode(stderr io.Writer, command string, err error) int {
	var usage usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errFound):
		return exitFound
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "heapwright %s: %v\n", command, err)
		return exitUsage
	}
	fmt.Fprintf(stderr, "heapwright %s: %v\n", command, err)
	return exitFailed
}
