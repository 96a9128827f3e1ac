// Package command is how the programs among the workloads read their arguments
// and end: the same flags help, the same messages, the same exit codes.
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// UsageError is a mistake in the arguments.
type UsageError struct{ error }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return UsageError{fmt.Errorf(format, args...)}
}

// Parse reads arguments, which are flags alone. Asked for help it writes that to
// stderr and returns flag.ErrHelp; every other error is a UsageError.
func Parse(flags *flag.FlagSet, args []string, stderr io.Writer) error {
	flags.SetOutput(io.Discard) // Exit reports the error, once
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stderr)
		flags.PrintDefaults()
		return err
	case err != nil:
		return Usagef("%w: run %s -h for the flags", err, flags.Name())
	case flags.NArg() > 0:
		return Usagef("argument %q: the command takes flags only", flags.Arg(0))
	}
	return nil
}

// Exit is the end of main: it reports an error of the program and ends the
// process with 2 if the arguments were wrong, else with 1. It returns if there
// is no error.
func Exit(program string, err error) {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
	if errors.As(err, new(UsageError)) {
		os.Exit(2)
	}
	os.Exit(1)
}
