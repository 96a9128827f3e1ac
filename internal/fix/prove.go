package fix

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// proveAll runs the tests with each change that is better.
func (p Plan) proveAll(ctx context.Context, d *Document) error {
	if d.outcomes(Unproven) == 0 {
		return nil
	}
	w, err := copyTree(ctx, d.Root, p.OutDir)
	if err != nil {
		return err
	}
	defer w.remove()
	for i := range d.Changes {
		c := &d.Changes[i]
		if c.Outcome != Unproven {
			continue
		}
		if err := p.prove(ctx, w, c); err != nil {
			return err
		}
	}
	return nil
}

// prove decides on a change that is better: Kept if vet, the tests and, with Race, the
// race tests of the packages that it can affect pass with it.
func (p Plan) prove(ctx context.Context, w *workTree, c *Change) error {
	texts, err := w.apply(c.Patch)
	if err != nil {
		c.Outcome, c.Why = Rejected, err.Error()
		return nil
	}
	packages, tested, err := w.affected(ctx, texts)
	if err != nil {
		c.Why = "the packages that it affects cannot be listed: " + err.Error()
		return ctx.Err()
	}
	if !tested {
		c.Why = "no package that it affects has tests"
		return nil
	}
	c.Proof = nil
	before := w.run(ctx, p.Tests, "tests before", slices.Concat([]string{"test"}, packages)...)
	if !before.Passed {
		c.Proof, c.Why = []Step{before}, "the tests fail without any change: "+subprocess.FirstFailure(before.Output)
		return ctx.Err()
	}
	if err := w.write(texts); err != nil {
		return err
	}
	defer w.restore(texts)
	changed, cover := strings.Join(w.changed, ","), filepath.Join(w.scratch, "cover.out")
	type command struct {
		name string
		args []string
	}
	steps := []command{
		{"vet", slices.Concat([]string{"vet"}, packages)},
		{"tests", slices.Concat([]string{"test", "-count=1", "-coverpkg=" + changed, "-coverprofile=" + cover}, packages)},
	}
	if p.Race {
		steps = append(steps, command{"race", slices.Concat([]string{"test", "-race", "-short"}, packages)})
	}
	for _, step := range steps {
		s := w.run(ctx, p.Tests, step.name, step.args...)
		c.Proof = append(c.Proof, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case s.Passed:
		case step.name == "race" && noRace(s.Output):
			c.Proof[len(c.Proof)-1].Output = "the race detector is not available here"
		default:
			c.Outcome, c.Why = Rejected, step.name+" fails with it: "+subprocess.FirstFailure(s.Output)
			return nil
		}
	}
	if missed := w.uncovered(cover, c.Patch); missed != "" {
		c.Why = "no test runs " + missed
		return nil
	}
	c.Outcome, c.Why = Kept, "better, and the tests of "+count(packages)+" pass"
	return nil
}

func count(packages []string) string {
	if len(packages) == 1 {
		return packages[0]
	}
	return fmt.Sprintf("%d packages", len(packages))
}

// noRace reports whether go test says that it cannot detect races on this machine.
func noRace(output string) bool {
	return strings.Contains(output, "-race requires cgo") || strings.Contains(output, "-race is not supported") ||
		strings.Contains(output, "C compiler")
}

// combine joins the changes that are kept into one patch, in the order of their gains,
// and measures it where it is more than one.
func (p Plan) combine(ctx context.Context, d *Document, budget time.Duration) error {
	order := d.best()
	if len(order) == 0 {
		return nil
	}
	texts := map[string][]byte{}
	read := func(file string) ([]byte, error) {
		if text, ok := texts[file]; ok {
			return text, nil
		}
		return patch.Read(file)
	}
	var joined []*Change
	for _, c := range order {
		parsed, err := patch.Parse([]byte(c.Patch))
		if err != nil {
			return err
		}
		more, err := parsed.Apply(read, d.Root)
		if err != nil {
			c.Outcome, c.Why = Rejected, "it overlaps a better change; run fix again after that is applied"
			continue
		}
		for file, text := range more {
			texts[file] = text
		}
		joined = append(joined, c)
	}
	if len(joined) == 1 {
		d.Patch, d.Gain = joined[0].Patch, joined[0].Gain
		return nil
	}
	why, err := p.tryJoined(ctx, d, unified(d.Root, texts), budget)
	if d.Patch == "" { // an interruption, too, leaves no more than is proven
		d.Notes = append(d.Notes, cmp.Or(why, "all changes together were not measured")+"; so only the best is kept")
		d.only(joined[0])
	}
	return err
}

// tryJoined measures and tests all changes at once. It makes their diff the document's
// patch if that is proven, and says otherwise why it is not.
func (p Plan) tryJoined(ctx context.Context, d *Document, diff string, budget time.Duration) (why string, err error) {
	err = result.ReplaceAll(filepath.Join(p.OutDir, "patches"), map[string]func(io.Writer) error{
		"all.diff": func(w io.Writer) error { _, err := io.WriteString(w, diff); return err },
	})
	if err != nil {
		return "", err
	}
	file := filepath.Join(p.OutDir, "patches", "all.diff")
	all := Change{Patch: diff, Mode: mode.PatchSetting(file), Outcome: Rejected}
	if d.Combined, err = p.compare(ctx, d, "combined", []string{all.Mode}, budget); err != nil {
		return "", err
	}
	if all.judge(d.Combined); all.Outcome == Unproven {
		w, err := copyTree(ctx, d.Root, p.OutDir)
		if err != nil {
			return "", err
		}
		defer w.remove()
		if err := p.prove(ctx, w, &all); err != nil {
			return "", err
		}
	}
	if all.Outcome != Kept {
		return "all changes together: " + all.Why, nil
	}
	d.Patch, d.Gain = diff, all.Gain
	return "", nil
}

// only keeps one change.
func (d *Document) only(c *Change) {
	for i := range d.Changes {
		if other := &d.Changes[i]; other != c && other.Outcome == Kept {
			other.Outcome, other.Why = Rejected, "proven alone, but not together with a better one"
		}
	}
	d.Patch, d.Gain = c.Patch, c.Gain
}

// best returns the changes that are kept, the largest gain first.
func (d *Document) best() []*Change {
	var all []*Change
	for i := range d.Changes {
		if d.Changes[i].Outcome == Kept {
			all = append(all, &d.Changes[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *Change) int { return cmp.Compare(a.Gain.Geomean[cpu], b.Gain.Geomean[cpu]) })
	return all
}

// unified returns the diff of changed files below a folder.
func unified(root string, texts map[string][]byte) string {
	var out bytes.Buffer
	for _, file := range sorted(texts) {
		before, err := patch.Read(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			continue // it was read a moment ago
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			name = filepath.Base(file)
		}
		out.Write(edit.Diff(filepath.ToSlash(name), before, texts[file]))
	}
	return out.String()
}
