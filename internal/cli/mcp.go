package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/heapwright/heapwright/internal/mcp"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

var mcpCommand = command{
	name:  "mcp",
	args:  "[flags] [PACKAGES | -main PACKAGE [-- args]]",
	short: "let a coding agent diagnose, price lines and have its patches judged",
	long: `
Mcp is a server of the Model Context Protocol on standard input and output. A coding agent
starts it in the folder of your module and calls its tools: diagnose, price, list_findings,
explain_site and compare_patch. The last one refuses patches that win by other means than
better code, measures the others against the original, and runs the tests.

Add it to an agent in one of these ways:

  claude mcp add heapwright -- heapwright mcp
  codex mcp add heapwright -- heapwright mcp

  {"mcpServers": {"heapwright": {"command": "heapwright", "args": ["mcp"]}}}

The last line is for .mcp.json, .cursor/mcp.json and files like them. With a target, as in
heapwright mcp ./internal/codec, calls that name no packages measure that target.

Tools change no source file, write only to the output folder, and refuse folders outside of
the one that mcp is started in. Measurements run one at a time. The patches are untrusted:
their tests and benchmarks run without your environment variables and, where the system
allows it, without a network.`,
	prepare: func(fs *flagSet) runner {
		f := &mcpFlags{}
		f.register(fs)
		return f.run
	},
}

type mcpFlags struct {
	targetFlags
	opts mcp.Options
}

func (f *mcpFlags) register(fs *flagSet) {
	f.targetFlags.register(fs)
	o := &f.opts
	fs.output.common.StringVar(&o.OutDir, "o", filepath.Join("heapwright-out", "mcp"),
		"keep diagnoses, patches and comparisons in `DIR`")
	testFlags(fs, &o.Tests, mcp.DefaultTests, &o.Race)
	allowFlag(fs, &o.Allowed)
}

func (f *mcpFlags) run(ctx context.Context, env Env, args arguments) (err error) {
	o := &f.opts
	if f.loadFlags.given() {
		return usagef("mcp measures benchmarks and commands: runs of a server are not confined")
	}
	if o.Root, err = folder(f.dir); err != nil {
		return err
	}
	if len(args.names) > 0 || args.after != nil || f.main != "" {
		if o.Target, err = f.target(ctx, args); err != nil {
			return err
		}
	}
	release, err := args.claim(env, o.OutDir)
	if err != nil {
		return err
	}
	defer release()
	if termtext.IsTerminal(os.Stdin) {
		fmt.Fprintln(env.Stderr, "heapwright mcp: waiting for the messages of a client on standard input; "+
			"heapwright mcp -h says how to add it to one")
	}
	o.Tool, o.Command = version(), args.typed
	o.NewDocument = func() *result.Document { return args.document(drawn(0)) }
	args.saves()
	// A client that goes away must not end this process before its children: a write to
	// standard output would, unless somebody listens to the signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return mcp.Serve(ctx, *o, &sdk.IOTransport{Reader: os.Stdin, Writer: env.Stdout})
}
