package cli

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

var reportCommand = command{
	name:  "report",
	args:  "[-o DIR] [report.json]",
	short: "make the views of a report.json again: table, HTML, Markdown, CSV, TSV",
	long: `
Everything that compare writes follows from report.json. This command makes it
again, after an update of Heapwright, say, or from a colleague's file. Without
a name it reads heapwright-out/report.json.`,
	prepare: func(fs *flag.FlagSet) runner {
		out := fs.String("o", "", "write the views to `DIR` (default: where the file is)")
		return func(ctx context.Context, env Env, args arguments) error {
			return remake(env, args, *out)
		}
	},
}

// writeResults writes the raw runs for benchstat, unless they are there: what
// an experiment wrote while it measured is the truth and stays untouched.
func writeResults(dir string, doc *result.Document) error {
	if _, err := os.Stat(filepath.Join(dir, experiment.ResultsFile)); err == nil {
		return nil
	}
	write := func(w io.Writer) error {
		out := sample.NewWriter(w, experiment.Environment(doc.Machine))
		for _, r := range doc.Runs {
			if err := out.Write(r); err != nil {
				return err
			}
		}
		return nil
	}
	return writeFiles(dir, map[string]func(io.Writer) error{experiment.ResultsFile: write})
}

func remake(env Env, args arguments, out string) error {
	file := filepath.Join("heapwright-out", report.JSON)
	switch {
	case len(args.names) > 1 || args.after != nil:
		return usagef("give one report.json")
	case len(args.names) == 1:
		file = args.names[0]
	}
	if out == "" {
		out = filepath.Dir(file)
	}
	doc, err := result.Load(file)
	if err != nil {
		return err
	}
	if err := writeResults(out, doc); err != nil {
		return err
	}
	return errors.Join(report.WriteAll(out, doc), report.Table(env.Stdout, doc, out, report.StyleOf(env.Stdout)))
}
