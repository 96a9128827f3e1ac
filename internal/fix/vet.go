package fix

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
)

// vet runs go vet with the change, whose texts are in the copy. The step passes if vet reports
// nothing that it does not report about the original, too. Its output then has these older
// diagnostics.
//
// The original is only asked about if there is something to compare.
func (w *workTree) vet(ctx context.Context, p Plan, texts map[string][]byte, packages []string) (Step, error) {
	args := slices.Concat([]string{"vet"}, packages)
	with, output := w.runOutput(ctx, p.Tests, "vet", args...)
	after := diagnostics(output)
	if with.Passed || len(after) == 0 || ctx.Err() != nil {
		return with, ctx.Err()
	}
	w.restore(texts)
	_, output = w.runOutput(ctx, p.Tests, "vet before", args...)
	if err := w.write(texts); err != nil {
		return with, err
	}
	if ctx.Err() != nil {
		return with, ctx.Err()
	}
	added, older := compareDiagnostics(diagnostics(output), after)
	if len(added) > 0 {
		with.Output = strings.Join(added[:min(len(added), maxLines)], "\n")
		return with, nil
	}
	with.Passed, with.Output = true, strings.Join(older[:min(len(older), maxLines)], "\n")
	return with, nil
}

// diagnostics returns the lines of vet's output without the names of packages and the
// further lines of a diagnostic.
func diagnostics(output string) (all []string) {
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		line = strings.TrimPrefix(line, "vet: ")
		if file, rest, ok := strings.Cut(line, ".go:"); ok && filepath.IsAbs(file) {
			line = path.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)) + ".go:" + rest
		}
		all = append(all, line)
	}
	return all
}

// identity returns a diagnostic without its folder, because with -trimpath the go command may
// print from its cache the folder of another copy.
func identity(diagnostic string) string {
	if file, rest, ok := strings.Cut(diagnostic, ".go:"); ok {
		diagnostic = path.Base(filepath.ToSlash(file)) + ".go:" + rest
	}
	return position.ReplaceAllString(diagnostic, "")
}

// position matches the place of a diagnostic, and the lines that some diagnostics mention,
// such as the line of a cancel function that is never called. A change moves them.
var position = regexp.MustCompile(`\.go:\d+(:\d+)?\b|\bline \d+`)

// compareDiagnostics divides the diagnostics after a change into those that it adds and
// those that were there before. Two of the same words in one file are two.
func compareDiagnostics(before, after []string) (added, older []string) {
	known := map[string]int{}
	for _, line := range before {
		known[identity(line)]++
	}
	for _, line := range after {
		if key := identity(line); known[key] > 0 {
			known[key]--
			older = append(older, line)
		} else {
			added = append(added, line)
		}
	}
	return added, older
}

// vetted says in the answer which diagnostics vet has without the change, too; "" if none.
func (c *Change) vetted() string {
	for _, s := range c.Proof {
		if s.Name != "vet" || s.Output == "" {
			continue
		}
		first, rest, _ := strings.Cut(s.Output, "\n")
		if n := strings.Count(rest, "\n") + 1; rest != "" {
			return fmt.Sprintf("; vet reports without it, too: %s, and %s", first, format.Plural(n, "more diagnostic"))
		}
		return "; vet reports without it, too: " + first
	}
	return ""
}
