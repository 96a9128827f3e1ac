package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/config"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/survey"
)

var initCommand = command{
	name:  "init",
	args:  "[flags]",
	short: "write a heapwright.toml for a module",
	long: `
Init searches the module in the current folder, or in the folder of -C, for
benchmarks, main packages and the ports on which they listen, imports of
net/http/pprof, and memory limits in Dockerfiles and manifests. It writes
heapwright.toml, with comments, to the module's root, and prints the command to
run next. It builds nothing.

  heapwright init
  heapwright init -C ~/src/service -force`,
	prepare: func(fs *flagSet) runner {
		in := fs.target.common.String("C", "", "run as if started in `DIR`, for a target in another module")
		force := fs.output.common.Bool("force", false, "replace an existing heapwright.toml")
		var json bool
		jsonFlag(fs, &json)
		return func(ctx context.Context, env Env, args arguments) error {
			if len(args.names)+len(args.after) > 0 {
				return usagef("init takes no arguments; name a folder with -C")
			}
			dir, err := folder(*in)
			if err != nil {
				return err
			}
			root, err := survey.Root(dir)
			if err != nil {
				return err
			}
			file := filepath.Join(root, config.Name)
			if _, err := os.Lstat(file); err == nil && !*force {
				return usagef("%s is there already; -force replaces it", file)
			}
			found, err := survey.Read(root)
			if err != nil {
				return err
			}
			if err := result.Replace(file, func(w io.Writer) error { return found.WriteConfig(w) }); err != nil {
				return err
			}
			if json {
				return found.WriteJSON(env.Stdout)
			}
			return found.WriteText(env.Stdout, file)
		}
	},
}
