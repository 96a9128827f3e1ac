package fix

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
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

// proveAll proves each change that is better. All of them share one copy of the tree.
func (p Plan) proveAll(ctx context.Context, d *Document) error {
	undecided := func(c Change) bool { return c.Outcome == Unproven && c.Why == "" }
	if !slices.ContainsFunc(d.Changes, undecided) {
		return nil
	}
	w, err := copyTree(ctx, d.Root, p.OutDir)
	if err != nil {
		return err
	}
	defer w.remove()
	for i := range d.Changes {
		c := &d.Changes[i]
		if !undecided(*c) {
			continue
		}
		err := p.prove(ctx, w, c)
		if err != nil {
			c.Proof, c.Why = nil, ""
		}
		if err := errors.Join(err, p.Save(d)); err != nil {
			return err
		}
	}
	return nil
}

// prove decides on a change that is better. The change is Kept if vet reports nothing new, the
// tests and, with Race, the race tests of the packages that it can affect pass with it, functions
// that compute give the same results as before for generated inputs, builds of files that are left
// out here type-check as before, and the tests run every line that it adds. It is Rejected if one of them fails. It stays Unproven if the
// tests cannot decide; Why then has the reason.
func (p Plan) prove(ctx context.Context, w *workTree, c *Change) error {
	texts, err := w.apply(ctx, c.Patch)
	if err != nil {
		c.Outcome, c.Why = Rejected, err.Error()
		return nil
	}
	affected, err := w.affected(ctx, texts)
	if err != nil {
		c.Why = "the packages that it affects cannot be listed: " + err.Error()
		return ctx.Err()
	}
	if !affected.tested {
		c.Why = "no package that it affects has tests"
		return nil
	}

	// A test that fails anyway says nothing about the change. The result may come from
	// the go command's cache, because the code is the same for every change.
	c.Proof = nil
	before := w.run(ctx, p.Tests, "tests before", slices.Concat([]string{"test"}, affected.packages)...)
	if !before.Passed {
		c.Proof, c.Why = []Step{before.short()}, "the tests fail without any change: "+subprocess.FirstFailure(before.Output)
		return ctx.Err()
	}
	if err := w.write(texts); err != nil {
		return err
	}
	defer w.restore(texts)

	profile := filepath.Join(w.scratch, "cover.out")
	for _, step := range p.commands(affected, profile) {
		if passed, err := p.pass(ctx, w, c, texts, affected, step); !passed || err != nil {
			return err
		}
	}

	for _, step := range []func() (Step, error){
		func() (Step, error) { return w.otherBuilds(ctx, p.Tests, texts) },
		func() (Step, error) { return w.besideOld(ctx, texts) },
	} {
		s, err := step()
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		if s.Name != "" {
			c.Proof = append(c.Proof, s.short())
		}
		if !s.Passed {
			c.Outcome, c.Why = Rejected, s.Name+": "+s.Output
			return nil
		}
	}

	// Tests that do not run the changed lines would pass with any change.
	if missed := affected.uncovered(w.root, profile, c); missed != "" {
		c.Why = "no test runs " + missed
		return nil
	}
	tests := fmt.Sprintf("%d packages", len(affected.packages))
	if len(affected.packages) == 1 {
		tests = affected.packages[0]
	}
	c.Outcome, c.Why = Kept, "better, and the tests of "+tests+" pass"+c.vetted()
	return nil
}

// command is a step of the proof: vet, or a go command for the packages.
type command struct {
	name string
	args []string
}

// commands returns the steps, the cheapest first. Race tests take many times as long as others,
// so they are short.
func (p Plan) commands(affected *reach, profile string) []command {
	changed := strings.Join(affected.changed, ",")
	all := []command{
		{name: "vet"},
		{name: "tests", args: []string{"test", "-count=1", "-coverpkg=" + changed, "-coverprofile=" + profile}},
	}
	if p.Race {
		all = append(all, command{name: "race", args: []string{"test", "-race", "-short"}})
	}
	return all
}

// pass runs a step with the change in place, and adds it to the proof. If it does not pass,
// the change gets the outcome and the reason.
func (p Plan) pass(
	ctx context.Context, w *workTree, c *Change, texts map[string][]byte, affected *reach, step command,
) (passed bool, err error) {
	run := func(name string) Step {
		return w.run(ctx, p.Tests, name, slices.Concat(step.args, affected.packages)...)
	}
	var s Step
	if step.name == "vet" {
		if s, err = w.vet(ctx, p, texts, affected.packages); err != nil {
			return false, err
		}
	} else {
		s = run(step.name)
	}
	c.Proof = append(c.Proof, s.short())
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case s.Passed:
		return true, nil
	case step.name == "race" && raceUnavailable(s.Output):
		// That is no fault of the change, and the other steps count without it.
		c.Proof[len(c.Proof)-1].Output = "the race detector is not available here"
		return true, nil
	case step.name != "vet" && s.Seconds < p.Tests.Seconds()/2: // one that hangs is not run again
		if c.Why, err = w.flaky(texts, step.name, run); c.Why != "" || err != nil {
			return false, errors.Join(err, ctx.Err())
		}
	}
	c.Outcome, c.Why = Rejected, step.name+" fails with it: "+subprocess.FirstFailure(s.Output)
	return false, ctx.Err()
}

// flaky returns the reason if a step that failed with a change says nothing about it: because it
// fails without the change, too, or because it does not fail again.
func (w *workTree) flaky(texts map[string][]byte, name string, run func(name string) Step) (why string, err error) {
	w.restore(texts)
	before := run(name + " without it")
	if err := w.write(texts); err != nil {
		return "", err
	}
	if !before.Passed {
		return name + " fails without the change, too: " + subprocess.FirstFailure(before.Output), nil
	}
	if after := run(name + " again"); after.Passed {
		return name + " fails only sometimes", nil
	}
	return "", nil
}

// raceUnavailable reports whether go test says that it cannot detect races on this machine.
func raceUnavailable(output string) bool {
	return strings.Contains(output, "-race requires cgo") || strings.Contains(output, "-race is not supported") ||
		strings.Contains(output, "C compiler")
}

// combine joins the changes that are kept into one patch. If there are several, it measures
// and tests them together, because gains do not add up, and changes may break each other.
func (p Plan) combine(ctx context.Context, d *Document, budget time.Duration) error {
	kept := d.kept()
	if len(kept) == 0 {
		return nil
	}
	// Each patch is for the original source. Applied after others, it may not fit any
	// more, and then the change with the larger gain stays.
	texts := map[string][]byte{}
	read := func(file string) ([]byte, error) {
		if text, ok := texts[file]; ok {
			return text, nil
		}
		return patch.Read(file)
	}
	var joined []*Change
	for _, c := range kept {
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
	// The document never has a patch that is not proven as a whole, not even after an
	// interruption.
	why, err := p.tryJoined(ctx, d, unified(d.Root, texts), budget)
	if d.Patch == "" {
		d.Notes = append(d.Notes, cmp.Or(why, "all changes together were not measured")+onlyBest)
		d.keepOnly(joined[0])
	}
	return err
}

// tryJoined measures and tests all changes at once. If that proves their diff, it becomes
// the document's patch. Otherwise tryJoined returns the reason.
func (p Plan) tryJoined(ctx context.Context, d *Document, diff string, budget time.Duration) (why string, err error) {
	err = result.ReplaceAll(filepath.Join(p.OutDir, "patches"), map[string]func(io.Writer) error{
		"all.diff": func(w io.Writer) error { _, err := io.WriteString(w, diff); return err },
	})
	if err != nil {
		return "", err
	}
	file := filepath.Join(p.OutDir, "patches", "all.diff")
	all := Change{Patch: diff, Mode: mode.PatchSetting(file), Outcome: Rejected}
	kept := d.kept()
	if slices.ContainsFunc(kept, func(c *Change) bool { return c.Check == proposal }) {
		all.Check = proposal
	}
	all.Benchmarks = together(d.Diagnosis.Recorded, kept)
	d.Combined, err = p.compare(ctx, comparison{
		folder: "combined", changes: []*Change{&all}, among: d.Diagnosis.Recorded, budget: budget,
	})
	if why := unmeasured(ctx, err); why != "" {
		return "all changes together could not be measured: " + why, nil
	}
	if err != nil {
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

// onlyBest ends the note on changes that are not proven together.
const onlyBest = "; so only the best is kept"

// notTogether is the reason of a change that is proven alone.
const notTogether = "proven alone, but not together with a better one"

// keepOnly rejects all changes that are kept, except c.
func (d *Document) keepOnly(c *Change) {
	for i := range d.Changes {
		if other := &d.Changes[i]; other != c && other.Outcome == Kept {
			other.Outcome, other.Why = Rejected, notTogether
		}
	}
	d.Patch, d.Gain = c.Patch, c.Gain
}

// kept returns the changes that are kept, the largest gain first.
func (d *Document) kept() []*Change {
	var all []*Change
	for i := range d.Changes {
		if d.Changes[i].Outcome == Kept {
			all = append(all, &d.Changes[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *Change) int {
		return cmp.Or(cmp.Compare(a.Gain.sum(cpu), b.Gain.sum(cpu)),
			cmp.Compare(a.Gain.sum("B/op", "allocs/op"), b.Gain.sum("B/op", "allocs/op")))
	})
	return all
}

// sum adds up the proven effects on metrics, as logarithms: the least is the largest gain. A total
// saving counts as one of 99%.
func (g *Gain) sum(metrics ...string) (sum float64) {
	for _, e := range g.Better {
		if slices.Contains(metrics, e.Metric) {
			sum += math.Log(max(e.Ratio, 0.01))
		}
	}
	return sum
}

// unified returns the unified diff from the files below root to their new texts. A file
// that does not exist is a new one.
func unified(root string, texts map[string][]byte) string {
	var out bytes.Buffer
	for _, file := range sorted(texts) {
		before, err := patch.Read(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			continue // cannot happen: applying the patches has read it a moment ago
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			name = filepath.Base(file)
		}
		out.Write(edit.Diff(filepath.ToSlash(name), before, texts[file]))
	}
	return out.String()
}
