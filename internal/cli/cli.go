// Package cli is the command line: one file for each command, flags in, exit
// code out. What a command does is done elsewhere.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// Env is what a command may know of its process, so that a test calls exactly
// what a user calls.
type Env struct {
	Stdout, Stderr *os.File // files, because what suits a terminal is asked of them
}

// command is one subcommand.
type command struct {
	name    string
	args    string // "[flags] TARGET"
	short   string // one line
	long    string // what -h teaches before the flags
	prepare func(fs *flag.FlagSet) runner
}

// runner does a command's work once its flags are parsed.
type runner func(ctx context.Context, env Env, args arguments) error

// arguments are what is left of a command line without its flags.
type arguments struct {
	typed []string // the whole line after "heapwright", to be recorded
	dir   string   // where it was typed; "" where that is unknown
	flags []string // names of those that were given
	names []string // targets, files
	after []string // what follows "--": a command; nil where there was none
}

// commands in the order in which help lists them.
var commands = []command{
	tuneCommand, compareCommand, diagnoseCommand, aaCommand, collectCommand, flameCommand, gateCommand, baselineCommand, modesCommand, reportCommand,
}

// Main runs one command line, without the program's name, and returns the
// exit code.
func Main(ctx context.Context, env Env, args []string) int {
	if len(args) == 0 {
		usage(env.Stderr)
		return exitUsage
	}
	name, rest := args[0], args[1:]
	switch name {
	case "-h", "-help", "--help", "help":
		if len(rest) == 1 && find(rest[0]) != nil {
			return run(ctx, env, find(rest[0]), []string{"-h"})
		}
		usage(env.Stdout)
		return exitOK
	case "version", "-version", "--version":
		fmt.Fprintln(env.Stdout, "heapwright", version())
		return exitOK
	}
	c := find(name)
	if c == nil {
		fmt.Fprintf(env.Stderr, "heapwright: unknown command %q; heapwright -h lists them\n", name)
		return exitUsage
	}
	return run(ctx, env, c, rest)
}

func find(name string) *command {
	for i := range commands {
		if commands[i].name == name {
			return &commands[i]
		}
	}
	return nil
}

func run(ctx context.Context, env Env, c *command, args []string) int {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are worded here, help is printed below
	do := c.prepare(fs)
	parsed, err := parse(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		help(env.Stdout, c, fs)
		return exitOK
	case err != nil:
		return exitCode(env.Stderr, c.name, usagef("%w; heapwright %s -h lists the flags", err, c.name))
	}
	return exitCode(env.Stderr, c.name, do(ctx, env, parsed))
}

// parse allows flags after the target as well as before it, as people type
// them; what follows "--" is left alone.
func parse(fs *flag.FlagSet, args []string) (arguments, error) {
	out := arguments{typed: append([]string{fs.Name()}, args...)}
	out.dir, _ = os.Getwd() // where it is unknown, the command is still worth recording
	if i := slices.Index(args, "--"); i >= 0 {
		args, out.after = args[:i], args[i+1:]
	}
	for {
		if err := fs.Parse(args); err != nil {
			return out, err
		}
		if fs.NArg() == 0 {
			fs.Visit(func(f *flag.Flag) { out.flags = append(out.flags, f.Name) })
			return out, nil
		}
		out.names = append(out.names, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

func usage(w io.Writer) {
	fmt.Fprint(w, `Heapwright finds out what a Go program should change to spend less on memory,
proves it, and says what it gains.

Usage: heapwright COMMAND [flags] ...

`)
	tw := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, c := range commands {
		fmt.Fprintf(tw, "  %s\t%s\n", c.name, c.short)
	}
	fmt.Fprintf(tw, "  version\tprint the version\n")
	tw.Flush()
	fmt.Fprint(w, "\nheapwright COMMAND -h tells more of one. Begin with:\n\n  heapwright tune ./workloads/stackstore\n")
}

func help(w io.Writer, c *command, fs *flag.FlagSet) {
	fmt.Fprintf(w, "Usage: heapwright %s %s\n\n%s\n", c.name, c.args, strings.TrimSpace(c.long))
	n := 0
	fs.VisitAll(func(*flag.Flag) { n++ })
	if n > 0 {
		fmt.Fprint(w, "\nFlags:\n")
		fs.SetOutput(w)
		fs.PrintDefaults()
	}
}
