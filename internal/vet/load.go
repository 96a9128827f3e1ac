package vet

import (
	"context"
	"os"
	"strings"

	"github.com/heapwright/heapwright/internal/subprocess"
)

// listEntry is a package as go list -e describes it.
type listEntry struct {
	ImportPath string
	Deps       []string
	Error      *loadError
	DepsErrors []*loadError
}

type loadError struct{ Pos, Err string }

// listDependencies asks for embedded files, too: otherwise the go command does not
// notice that some are missing.
func listDependencies(ctx context.Context, dir string, patterns []string) ([]listEntry, error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Deps,Error,DepsErrors,EmbedFiles", "--"}, patterns...)
	out, _, err := goCommand(ctx, dir, args...)
	if err != nil {
		return nil, err
	}
	return subprocess.Values[listEntry](out)
}

// loadable returns the packages of patterns that the go command can load with all
// that they import, and the failures of the others.
func loadable(ctx context.Context, dir string, patterns []string) (sound []string, failures []Failure, err error) {
	all, err := listDependencies(ctx, dir, patterns)
	for _, p := range all {
		switch {
		case p.Error != nil:
			failures = append(failures, Failure{Package: p.ImportPath, Reason: p.Error.String()})
		case len(p.DepsErrors) > 0: // the others often repeat the first
			failures = append(failures, Failure{Package: p.ImportPath, Reason: p.DepsErrors[0].String()})
		default:
			sound = append(sound, p.ImportPath)
		}
	}
	return sound, failures, err
}

func (e *loadError) String() string { return strings.TrimPrefix(e.Pos+": "+e.Err, ": ") }

// completeMessages gets messages from the compiler that announce further lines:
// the type checker of the tool returns only the first.
func (d *Document) completeMessages(ctx context.Context) {
	for i, f := range d.Failures {
		if f.Check != "" || f.Package == "" || !strings.HasSuffix(f.Reason, ":") {
			continue
		}
		_, messages, _ := goCommand(ctx, d.Dir, "build", "-buildvcs=false", "-o", os.DevNull, "--", f.Package)
		built := &Document{Dir: d.Dir}
		built.fail(strings.Split(strings.TrimRight(messages, "\n"), "\n"))
		if len(built.Failures) == 1 && built.Failures[0].Package == f.Package {
			d.Failures[i].Reason = built.Failures[0].Reason
		}
	}
}

// failDependents adds the packages to the failures that import one that does not
// compile. The go command omits them without a message.
func (d *Document) failDependents(ctx context.Context, patterns []string) error {
	failed := map[string]bool{}
	for _, f := range d.Failures {
		failed[f.Package] = failed[f.Package] || f.Check == "" && !f.tests
	}
	if len(failed) == 0 {
		return nil
	}
	all, err := listDependencies(ctx, d.Dir, patterns)
	for _, p := range all {
		if failed[p.ImportPath] {
			continue
		}
		for _, dep := range p.Deps {
			if failed[dep] {
				d.Failures = append(d.Failures, Failure{Package: p.ImportPath, Reason: "it imports " + dep})
				break
			}
		}
	}
	return err
}
