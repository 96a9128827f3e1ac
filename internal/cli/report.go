package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

var reportCommand = command{
	name:  "report",
	args:  "[-o DIR] [report.json]",
	short: "write the views of a report.json again: table, HTML, Markdown, CSV, TSV",
	long: `
Report writes the files that compare derives from report.json again, for example
after an update of Heapwright, or from a colleague's report.json. By default it
reads heapwright-out/report.json.`,
	prepare: func(fs *flagSet) runner {
		out := fs.output.common.String("o", "", "write the views to `DIR` (default: where the file is)")
		var json bool
		jsonFlag(fs, &json)
		return func(ctx context.Context, env Env, args arguments) error {
			return remake(ctx, env, args, *out, json)
		}
	},
}

func remake(ctx context.Context, env Env, args arguments, out string, json bool) error {
	file := filepath.Join("heapwright-out", report.JSON)
	load := result.LoadFound
	switch {
	case len(args.names) > 1 || args.after != nil:
		return usagef("give one report.json")
	case len(args.names) == 1:
		file = args.names[0]
		load = func(path string) (*result.Document, error) { return result.Load(ctx, path) }
	}
	if out == "" {
		out = filepath.Dir(file)
	}
	doc, err := load(file)
	if err != nil {
		return err
	}
	release, err := args.claim(env, out)
	if err != nil {
		return err
	}
	defer release()
	if err := experiment.WriteResults(out, doc); err != nil {
		return err
	}
	err = report.WriteAll(out, doc)
	if json {
		return errors.Join(err, printFile(env, filepath.Join(out, report.JSON)))
	}
	return errors.Join(err, report.Table(env.Stdout, doc, out, termtext.StyleOf(env.Stdout)))
}
