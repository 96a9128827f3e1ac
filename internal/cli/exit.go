package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/heapwright/heapwright/internal/termtext"
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

// incompleteError names the part of the input that could not be judged.
type incompleteError struct{ error }

// errFound says that a check found something, and has printed it.
var errFound = errors.New("found")

// exitCode writes an error for people and returns the code to end with. The error
// may repeat words of the command line.
func exitCode(stderr io.Writer, command string, err error, words ...string) int {
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
	fmt.Fprintf(stderr, "heapwright %s: %s\n", command, harmless(err, words))
	return code
}

// harmless keeps the lines of joined errors and removes control characters, which
// names of files and services may contain. A newline in a name does not begin a
// line, because that would look like a separate message.
func harmless(err error, words []string) string {
	message := err.Error()
	for _, name := range append(paths(err), words...) {
		if shown := termtext.Harmless(name); shown != name {
			message = strings.ReplaceAll(message, name, shown)
		}
	}
	return termtext.HarmlessLines(message)
}

// paths returns the files that an error and those within it are about.
func paths(err error) []string {
	var all []string
	switch e := err.(type) {
	case *fs.PathError:
		all = append(all, e.Path)
	case *os.LinkError:
		all = append(all, e.Old, e.New)
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			all = append(all, paths(inner)...)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			all = append(all, paths(inner)...)
		}
	}
	return all
}
