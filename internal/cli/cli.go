// Package cli is the command line: one file for each command, flags in, exit
// code out. The commands' work is done in other packages.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync/atomic"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/vet/tool"
)

// Env holds everything that a command may know of its process, so that tests make
// the same call as users.
type Env struct {
	Stdout, Stderr *os.File // files, because commands ask whether they are terminals
}

// opener opens the files that a command line names.
func (e Env) opener(ctx context.Context, command string) input.Opener {
	return input.Opener{Context: ctx, Waiting: func(line string) {
		fmt.Fprintf(e.Stderr, "heapwright %s: %s\n", command, line)
	}}
}

// command is one subcommand.
type command struct {
	name    string
	args    string // "[flags] TARGET"
	short   string // one line
	long    string // the text of -h before the flags
	prepare func(fs *flagSet) runner
}

// runner does a command's work once its flags are parsed.
type runner func(ctx context.Context, env Env, args arguments) error

// arguments are the parts of a command line without its flags.
type arguments struct {
	typed []string // the whole line after "heapwright", to be recorded
	dir   string   // the folder in which it was typed; "" where that is unknown
	flags []string // names of those that were given
	names []string // targets, files
	after []string // the arguments after "--": a command; nil without "--"

	saving *atomic.Bool // see saves
}

// commands in the order in which help lists them.
var commands = []command{
	initCommand, tuneCommand, fixCommand, mcpCommand, compareCommand, diagnoseCommand, aaCommand, collectCommand,
	serveCommand, traceCommand, flameCommand, gateCommand, baselineCommand, vetCommand, modesCommand, reportCommand,
	doctorCommand,
}

// Main runs one command line, without the program's name, and returns the
// exit code.
func Main(ctx context.Context, env Env, args []string) int {
	if tool.Is(args) { // go vet -vettool has started us
		tool.Main(args)
	}
	if len(args) == 0 {
		usage(env.Stderr)
		return exitUsage
	}
	name, rest := args[0], args[1:]
	switch name {
	case "-h", "-help", "--help", "help":
		if len(rest) > 0 && find(rest[0]) != nil {
			return run(ctx, env, find(rest[0]), append([]string{"-h"}, rest[1:]...))
		}
		usage(env.Stdout)
		return exitOK
	case "completion":
		return completion(env, rest)
	case "version", "-version", "--version":
		fmt.Fprintln(env.Stdout, "heapwright", version())
		return exitOK
	}
	c := find(name)
	if c == nil {
		fmt.Fprintf(env.Stderr, "heapwright: unknown command %q; %sheapwright -h lists them\n",
			name, unknownCommand(name))
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
	fs, do := c.flags()
	parsed, err := parse(fs.all, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		help(env.Stdout, c, fs, wantsAll(args))
		return exitOK
	case err != nil:
		wrong := usagef("%w%s; heapwright %s -h all lists the flags", err, unknownFlag(fs.all, err), c.name)
		return exitCode(env.Stderr, c.name, wrong, args...)
	}
	parsed.saving = new(atomic.Bool)
	err = untilInterrupted(ctx, parsed.saving, func() error {
		if err := errors.Join(fromStdin(parsed.names), parsed.configure(ctx, env, fs.all)); err != nil {
			return err
		}
		return do(ctx, env, parsed)
	})
	return exitCode(env.Stderr, c.name, err, args...)
}

// parse allows flags after the target as well as before it, as people type
// them. It leaves the arguments after "--" alone.
func parse(fs *flag.FlagSet, args []string) (arguments, error) {
	out := arguments{typed: append([]string{fs.Name()}, args...)}
	out.dir, _ = os.Getwd() // without it, the command is still worth recording
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
