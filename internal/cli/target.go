package cli

import (
	"errors"
	"flag"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/memgroup"
)

// targetFlags say what is measured and where.
type targetFlags struct {
	loadFlags
	dir    string
	bench  string
	main   string
	memory int64 // bytes; see memoryFlag
}

func (t *targetFlags) register(fs *flag.FlagSet) {
	t.loadFlags.register(fs)
	fs.StringVar(&t.dir, "C", "", "run as if started in `DIR`, for a target in another module")
	benchFlag(fs, &t.bench)
	fs.StringVar(&t.main, "main", "", "build main `PACKAGE` in every mode and run it with the arguments after --")
}

// memoryFlag bounds the memory of each run.
func (t *targetFlags) memoryFlag(fs *flag.FlagSet) {
	fs.Func("memory", "run each process in a memory cgroup of `SIZE`, as in a container, where the kernel kills what takes more (Linux, root)", func(s string) (err error) {
		if t.memory, err = gctune.ParseSize(s); err == nil && t.memory == 0 {
			err = errors.New("give a size above 0")
		}
		return err
	})
}

// target reads what follows the flags.
func (t *targetFlags) target(args arguments) (experiment.Target, error) {
	if t.memory > 0 { // before anything is built
		if err := memgroup.Available(); err != nil {
			return nil, err
		}
	}
	after := args.after
	if t.serve != "" {
		if t.main != "" || len(args.names)+len(after) > 0 {
			return nil, usagef("-serve holds the whole command; give it, or -main, or a command after --, and no packages")
		}
		var err error
		if after, err = words(t.serve); err != nil {
			return nil, err
		}
	}
	switch {
	case t.main != "" && t.bench != "":
		return nil, usagef("-main and -bench exclude each other: a command is run whole")
	case t.main != "" && len(args.names) > 0:
		return nil, usagef("%q: the arguments of -main %s stand after --", args.names[0], t.main)
	case len(after) > 0 && (t.bench != "" || len(args.names) > 0):
		return nil, usagef("Go packages and a command exclude each other; to build a package and run it, give -main")
	case t.main != "" || len(after) > 0:
		return t.command(experiment.Command{Main: t.main, Args: after, Memory: t.memory})
	case t.loadFlags.given():
		return nil, usagef("only a server is loaded; give its command with -serve or after --, or its package with -main")
	case len(args.names) == 0:
		return nil, usagef("no target; name Go packages (./...), or give a command after --")
	}
	return &experiment.Packages{Names: args.names, Bench: t.bench, Memory: t.memory}, nil
}

// from makes -C lead where it led when the command was typed in a folder.
func (t *targetFlags) from(dir string) {
	switch {
	case t.dir == "":
		t.dir = dir
	case !filepath.IsAbs(t.dir):
		t.dir = filepath.Join(dir, t.dir)
	}
}

// command is one that ends, or a server.
func (t *targetFlags) command(c experiment.Command) (experiment.Target, error) {
	if !t.loadFlags.given() {
		return &c, nil
	}
	dir, err := folder(t.dir)
	if err != nil {
		return nil, err
	}
	return t.server(c, dir)
}

// folder is the absolute path of what -C names, the current folder if nothing.
func folder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", usagef("-C %s: not a folder", dir)
	}
	return abs, nil
}
