package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/config"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/termtext"
)

// folderFlags name the target's folder and the file of its settings.
func folderFlags(fs *flagSet, dir *string) {
	fs.target.common.StringVar(dir, "C", "", "run as if started in `DIR`, for example for a target in another module")
	fs.target.rare.String("config", "", "read settings from `FILE` (default: the nearest "+config.Name+" from the target's folder up to its workspace's or module's root); none reads no file")
}

// settings reads the file of settings that applies to a command line, if any.
func settings(ctx context.Context, fs *flag.FlagSet) (file string, all []config.Setting, err error) {
	switch file = fs.Lookup("config").Value.String(); file {
	case "none":
		return "", nil, nil
	case "":
		dir, err := filepath.Abs(fs.Lookup("C").Value.String())
		if err != nil {
			return "", nil, err
		}
		if file, err = config.Find(dir); file == "" {
			return "", nil, err
		}
		if here, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(here, file); err == nil {
				file = rel
			}
		}
	}
	all, err = config.Read(ctx, file)
	return file, all, err
}

// configure sets the flags and arguments that the command line leaves to
// heapwright.toml, and says on stderr which they are. The command that is
// recorded has them all, so that it can be repeated without the file.
func (a *arguments) configure(ctx context.Context, env Env, fs *flag.FlagSet) error {
	earlier := slices.ContainsFunc(a.flags, func(name string) bool { return name == "resume" || name == "apply" })
	if fs.Lookup("config") == nil || earlier { // the target is an earlier command's
		return nil
	}
	file, all, err := settings(ctx, fs)
	if err != nil {
		return usageError{err}
	}
	note := func(format string, args ...any) {
		fmt.Fprintf(env.Stderr, "heapwright %s: note: %s\n", fs.Name(), termtext.Harmless(fmt.Sprintf(format, args...)))
	}
	c := configuration{fs: fs, args: a, note: note, choice: a.choice(fs, all)}
	for _, s := range all {
		if err := c.set(s); err != nil {
			return err
		}
	}
	if fs.Lookup("config").Value.String() == "" { // it was found: nobody has said that it is meant
		dir, _ := filepath.Abs(filepath.Dir(file)) // fails where the current folder is gone
		for _, what := range c.foreign(ctx) {
			note("%s (found in %s) starts %s; -config=%[1]s says that you mean it", file, dir, what)
		}
	}
	if c.replaced {
		note("the target on the command line replaces the target, server and load of %s", file)
	}
	if c.choice != "" && c.choice != typedTarget {
		if err := c.moveTo(filepath.Dir(file)); err != nil {
			return err
		}
	}
	if len(c.typed)+len(c.names) == 0 && c.after == nil {
		return nil
	}
	a.record(c.typed, c.names, c.after)
	note("with %s this is: %s", file, mode.CommandLine(nil, "heapwright", a.typed...))
	return nil
}

// record adds arguments to the command line as it is recorded.
func (a *arguments) record(flags, names, after []string) {
	a.typed = slices.Concat(a.typed[:1], flags, a.typed[1:], names)
	if after != nil {
		a.typed = append(append(a.typed, "--"), after...)
	}
}

// choice says which of its targets a file gives to a command: one of the
// constants below, or "" for none.
func (a *arguments) choice(fs *flag.FlagSet, all []config.Setting) string {
	has := func(flag string) bool {
		return slices.ContainsFunc(all, func(s config.Setting) bool { return s.Flag == flag })
	}
	switch {
	case len(a.names) > 0 || a.after != nil || slices.Contains(a.flags, "main"):
		return typedTarget
	case fs.Lookup("main") != nil && !slices.Contains(a.flags, "bench") && (has("main") || has(config.Args)):
		return program
	case has(config.Packages) && fs.Lookup("targets") == nil: // serve watches processes
		return packages
	}
	return ""
}

const (
	typedTarget = "typed"    // the target of the command line
	program     = "program"  // main or args, with server and load
	packages    = "packages" // packages, with bench
)

// configuration carries the settings of one file over to one command line.
type configuration struct {
	fs       *flag.FlagSet
	args     *arguments
	note     func(format string, args ...any)
	choice   string
	replaced bool     // something of the file's target is not used
	typed    []string // flags that were set and their values, as they would be typed
	names    []string
	after    []string
}

// set applies one setting, unless it is for another command or the command line
// says otherwise.
func (c *configuration) set(s config.Setting) error {
	f := c.fs.Lookup(s.Flag)
	switch {
	case s.Command != "" && s.Command != c.fs.Name():
		return nil
	case s.Flag == config.Packages && c.fs.Lookup("targets") != nil:
		return nil
	case s.Flag == config.Packages:
		if c.choice == packages {
			c.names, c.args.names = s.Values, s.Values
		}
		c.replaced = c.replaced || c.choice == typedTarget
		return nil
	case s.Flag == config.Args:
		if c.choice == program {
			c.after, c.args.after = s.Values, s.Values
		}
		return nil
	case f == nil:
		return nil
	case s.IsTarget() && c.choice == typedTarget:
		c.replaced = true
		return nil
	case s.IsTarget() && (s.Flag == "bench") != (c.choice == packages):
		return nil
	}
	given, value := slices.Contains(c.args.flags, s.Flag), s.Value()
	if spec, ok := f.Value.(loadSpec); ok {
		given = false
		spec.keys.Visit(func(k *flag.Flag) { given = given || k.Name == s.Part })
		value = s.Part + "=" + quoted(value)
	}
	if given {
		c.note("-%s on the command line overrides %s", s.Flag, s.Place)
		return nil
	}
	if err := c.fs.Set(s.Flag, value); err != nil {
		return usagef("%s: %s = %q: %w", s.Place, s.Name, shown(s, s.Value()), err)
	}
	c.typed = append(c.typed, "-"+s.Flag, shown(s, value))
	return nil
}

// shown returns the value of a setting for people and for the record of a command.
func shown(s config.Setting, value string) string {
	if s.Secret {
		return "(in " + s.Place + ")"
	}
	return value
}

// foreign returns the programs that the file has started and that its module does not
// build: a target that is there already, and the compilers and toolchains of modes.
func (c *configuration) foreign(ctx context.Context) []string {
	var command []string
	if len(c.after) > 0 && c.fs.Lookup("main").Value.String() == "" {
		command = c.after
	}
	var choice mode.Choice
	for flag := range slices.Chunk(c.typed, 2) {
		switch flag[0] {
		case "-modes":
			choice.List = flag[1]
		case "-modes-file":
			choice.File = flag[1]
		}
	}
	return foreignPrograms(command, mode.Foreign(ctx, choice))
}

// foreignPrograms names a command that is there already, if there is one, and the programs
// of settings as mode.Foreign returns them.
func foreignPrograms(command, settings []string) []string {
	var all []string
	if len(command) > 0 {
		all = append(all, mode.CommandLine(nil, command[0], command[1:]...))
	}
	if len(settings) > 0 {
		all = append(all, "other programs by "+strings.Join(settings, ", "))
	}
	return all
}

// moveTo makes the folder of the file the target's folder, as if it was named by -C.
func (c *configuration) moveTo(dir string) error {
	was := c.fs.Lookup("C").Value.String()
	if filepath.Clean(was) == filepath.Clean(dir) {
		return nil
	}
	c.typed = append(c.typed, "-C", dir)
	return c.fs.Set("C", dir)
}

// quoted is a value for -load.
func quoted(value string) string {
	if !strings.ContainsAny(value, ", \t'\"") {
		return value
	}
	if strings.Contains(value, `"`) {
		return "'" + value + "'"
	}
	return `"` + value + `"`
}
