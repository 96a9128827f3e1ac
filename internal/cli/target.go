package cli

import (
	"flag"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/experiment"
)

// targetFlags say what is measured and where.
type targetFlags struct {
	dir   string
	bench string
	main  string
}

func (t *targetFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&t.dir, "C", "", "run as if started in `DIR`, for a target in another module")
	fs.StringVar(&t.bench, "bench", "", "measure only benchmarks that match `REGEXP`, as for go test")
	fs.StringVar(&t.main, "main", "", "build main `PACKAGE` in every mode and run it with the arguments after --")
}

// target reads what follows the flags.
func (t *targetFlags) target(args arguments) (experiment.Target, error) {
	switch {
	case t.main != "" && t.bench != "":
		return nil, usagef("-main and -bench exclude each other: a command is run whole")
	case t.main != "" && len(args.names) > 0:
		return nil, usagef("%q: the arguments of -main %s stand after --", args.names[0], t.main)
	case t.main != "":
		return &experiment.Command{Main: t.main, Args: args.after}, nil
	case len(args.after) > 0 && (t.bench != "" || len(args.names) > 0):
		return nil, usagef("Go packages and a command after -- exclude each other; to build a package and run it, give -main")
	case len(args.after) > 0:
		return &experiment.Command{Args: args.after}, nil
	case len(args.names) == 0:
		return nil, usagef("no target; name Go packages (./...), or give a command after --")
	}
	return &experiment.Packages{Names: args.names, Bench: t.bench}, nil
}

func (t *targetFlags) directory() (string, error) {
	dir, err := filepath.Abs(t.dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", usagef("-C %s: not a folder", t.dir)
	}
	return dir, nil
}
