package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/config"
	"github.com/heapwright/heapwright/internal/target"
)

// targetFlags choose the target and its folder.
type targetFlags struct {
	loadFlags
	dir    string
	bench  string
	main   string
	exit   int   // status of a successful command
	memory int64 // bytes; see memoryFlag
}

func (t *targetFlags) register(fs *flagSet) {
	t.loadFlags.register(fs)
	folderFlags(fs, &t.dir)
	benchFlag(fs, &t.bench)
	fs.target.common.StringVar(&t.main, "main", "", "build the main `PACKAGE` and run it with the arguments after --")
	fs.target.rare.IntVar(&t.exit, "exit-code", 0, "a successful run of the command ends with this `STATUS`, as a linter's that reports something")
}

// memoryFlag bounds the memory of each run.
func (t *targetFlags) memoryFlag(fs *flagSet) {
	fs.target.rare.Func("memory", "run each process in a memory cgroup of `SIZE`, as in a container; the kernel kills a process that exceeds it (Linux, root)", func(s string) (err error) {
		if t.memory, err = gctune.ParseSize(s); err == nil && t.memory == 0 {
			err = errors.New("give a size above 0")
		}
		return err
	})
}

// target returns the target that the arguments after the flags name.
func (t *targetFlags) target(ctx context.Context, args arguments) (target.Target, error) {
	if t.memory > 0 { // find out before building
		if err := cgroup.Available(); err != nil {
			return nil, err
		}
	}
	after := args.after
	switch {
	case t.main != "" && t.bench != "":
		return nil, usagef("-main and -bench exclude each other: a command is run whole")
	case t.main != "" && len(args.names) > 0:
		return nil, usagef("%q: the arguments of -main %s stand after --", args.names[0], t.main)
	case t.exit != 0 && t.main == "" && len(after) == 0:
		return nil, usagef("-exit-code is for a command; benchmarks end with 0")
	case t.exit < 0 || t.exit > 255:
		return nil, usagef("-exit-code %d: a status is 0 to 255", t.exit)
	case len(after) > 0 && (t.bench != "" || len(args.names) > 0):
		return nil, usagef("Go packages and a command exclude each other; to build a package and run it, give -main")
	case t.main != "" || len(after) > 0:
		return t.command(ctx, target.Command{Main: t.main, Args: after, Memory: t.memory, ExitCode: t.exit})
	case t.loadFlags.given():
		return nil, usagef("only a server is loaded; give its command after --, or its package with -main")
	case len(args.names) == 0:
		return nil, usagef("no target; name Go packages (./...), or give a command after --")
	}
	return &target.Packages{Names: args.names, Bench: t.bench, Memory: t.memory}, nil
}

// command is one that ends, or a server.
func (t *targetFlags) command(ctx context.Context, c target.Command) (target.Target, error) {
	if !t.loadFlags.given() {
		return &c, nil
	}
	dir, err := folder(t.dir)
	if err != nil {
		return nil, err
	}
	return t.server(ctx, c, dir)
}

// folder is the absolute path of the folder that -C names, by default the current
// one. The go command may be started in it.
func folder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", usagef("-C %s: not a folder", dir)
	}
	return abs, config.CheckModule(abs)
}
