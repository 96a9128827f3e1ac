package fix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/fix/propose"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// DefaultBudget is how long measuring may take. Building and tests do not count.
const DefaultBudget = 5 * time.Minute

// Plan is the order for fixing. Target, Dir, OutDir and NewDocument are required.
type Plan struct {
	Target     target.Target
	Dir        string // the target's folder, absolute
	OutDir     string // patches and comparisons are kept here
	Budget     time.Duration
	Tests      time.Duration // the longest run of tests; 0 is DefaultTests
	Race       bool          // run the tests with the race detector, too
	Production []string      // profiles of the target's production, as in diagnose.Plan
	Most       int           // changes to try; 0 is DefaultMost
	Seed       uint64
	// Proposer is asked about the findings that no check's change settles; nil asks nobody.
	Proposer *propose.Proposer
	// Before is the document of the run that is continued; nil begins one.
	Before  *Document
	Handler result.Handler
	// NewDocument begins the document of an experiment, with Seed.
	NewDocument func() *result.Document
	// Save keeps the document so far, so that an interruption loses no more than the
	// stage under way.
	Save func(*Document) error
}

const (
	// DefaultMost is the number of changes that a comparison of five minutes can decide.
	DefaultMost = 6
	// DefaultTests is long enough for the tests of most modules.
	DefaultTests = 10 * time.Minute

	// diagnosing is the diagnosis's share of the budget. If there is more than one change
	// to combine, the last comparison has the share combining of the rest.
	diagnosing = 0.25
	combining  = 0.4
	// checking is the share of the rest for the changes of checks, if a proposer follows.
	checking = 0.3

	// analysis is enough to type-check a program and its dependencies on a busy machine. If a
	// short budget ended that, the diagnosis would have no changes, and the run no purpose.
	analysis = 30 * time.Second
)

// Run diagnoses the target, tries the changes that checks propose, and proves them. With
// an error the document holds all until then, or is nil.
func Run(ctx context.Context, p Plan) (*Document, error) {
	if p.Budget <= 0 {
		p.Budget = DefaultBudget
	}
	if p.Tests <= 0 {
		p.Tests = DefaultTests
	}
	if p.Most <= 0 {
		p.Most = DefaultMost
	}
	d, err := p.begin(ctx)
	if err != nil {
		return d, err
	}
	if len(d.Changes) > 0 || p.Proposer != nil {
		err = p.tryAll(ctx, d)
	}
	d.Stopped = ""
	if err == nil && d.untried() {
		err = errors.New(d.Changes[0].Why)
	}
	if err != nil {
		d.Stopped = strings.SplitN(err.Error(), "\n", 2)[0]
	}
	d.conclude(p)
	return d, errors.Join(err, p.Save(d))
}

// begin returns a document with a new diagnosis and the changes that it proposes, or the one
// of the run that is continued.
func (p Plan) begin(ctx context.Context) (*Document, error) {
	if p.Before != nil {
		p.Before.reopen()
		return p.Before, nil
	}
	found, err := diagnose.Run(ctx, diagnose.Plan{
		Target: p.Target, Dir: p.Dir, Production: p.Production, Budget: part(p.Budget, diagnosing), Lengths: true,
		Analysis: analysis, Handler: p.Handler,
	})
	if found == nil {
		return nil, err
	}
	d := &Document{
		Schema: Schema, Made: time.Now(), Target: found.Target, Root: found.Root, Diagnosis: found, Changes: []Change{},
	}
	if err != nil {
		return d, err
	}
	if d.Plan, err = p.record(); err != nil {
		return d, err
	}
	if unlike := found.Unlike(); unlike != "" {
		d.Notes = append(d.Notes, unlike)
	}
	d.propose(p.Most)
	d.Stopped = "unfinished"
	d.conclude(p)
	return d, p.Save(d)
}

func part(t time.Duration, share float64) time.Duration { return time.Duration(share * float64(t)) }

// notMeasured is the reason of a change that waits for its measurement.
const notMeasured = "it was not measured"

// propose takes the changes of the findings, those that may save most first.
func (d *Document) propose(most int) {
	for _, top := range slices.Concat(d.Diagnosis.Findings, d.Diagnosis.Small) {
		for _, f := range slices.Concat([]finding{top}, top.Others) {
			known := slices.ContainsFunc(d.Changes, func(c Change) bool { return c.Patch == f.Patch })
			if f.Patch == "" || known {
				continue
			}
			if len(d.Changes) == most {
				note := fmt.Sprintf("only the %d changes that may save most were tried; -most tries more", most)
				d.Notes = append(d.Notes, note)
				return
			}
			d.Changes = append(d.Changes, Change{
				Check: f.Check, Rule: f.Rule, Title: f.Title, File: f.File, Line: f.Line, Function: f.Function,
				Estimate: f.CPU, Production: f.Production, Benchmarks: f.Benchmarks, Patch: f.Patch,
				Outcome: Rejected, Why: notMeasured,
			})
		}
	}
}

// tryAll measures each change alone, proves those that are better, asks the proposer about
// the rest, and measures all that are proven together.
func (p Plan) tryAll(ctx context.Context, d *Document) error {
	left := p.Budget - part(p.Budget, diagnosing)
	alone, asking := left, time.Duration(0)
	if len(d.Changes) > 1 || p.Proposer != nil {
		alone -= part(left, combining)
	}
	if p.Proposer != nil {
		checked := time.Duration(0)
		if len(d.Changes) > 0 {
			checked = part(alone, checking)
		}
		alone, asking = checked, alone-checked
	}
	confined := p.confine(ctx, d)
	if err := p.tryChecks(confined, d, alone); err != nil {
		return err
	}
	if p.Proposer != nil {
		if err := p.ask(ctx, d, asking); err != nil {
			return err
		}
	}
	return p.combine(confined, d, d.timeTogether(left))
}

// timeTogether returns the time for measuring all changes together, of the time for all
// comparisons. The combination has its share, however long the others took, and the time that they left.
func (d *Document) timeTogether(all time.Duration) time.Duration {
	return max(part(all, combining), all-d.spent)
}

// tryChecks measures the changes of checks, each alone, and proves those that are better.
func (p Plan) tryChecks(ctx context.Context, d *Document, budget time.Duration) error {
	if d.measured() {
		return p.proveAll(ctx, d)
	}
	files := map[string]func(io.Writer) error{}
	for i := range d.Changes {
		c := &d.Changes[i]
		name := fmt.Sprintf("%d-%s.diff", i+1, c.Check)
		c.Mode = mode.PatchSetting(filepath.Join(p.OutDir, "patches", name))
		files[name] = func(w io.Writer) error { _, err := io.WriteString(w, c.Patch); return err }
	}
	if err := result.ReplaceAll(filepath.Join(p.OutDir, "patches"), files); err != nil {
		return err
	}
	alone := comparison{folder: "alone", among: d.Diagnosis.Recorded, budget: budget}
	for i := range d.Changes {
		alone.changes = append(alone.changes, &d.Changes[i])
	}
	var err error
	began := time.Now()
	d.Compared, err = p.compare(ctx, alone)
	d.spent += time.Since(began)
	if d.Compared != nil { // building does not count
		d.spent -= time.Duration(d.Compared.Compiling * float64(time.Second))
	}
	why := unmeasured(ctx, err)
	if why != "" {
		d.Notes = append(d.Notes, "the comparison of the changes ended early: "+why)
	} else if err != nil {
		return err
	}
	if d.Compared == nil {
		for i := range d.Changes {
			d.Changes[i].Why = notMeasured + ": " + why
		}
		return p.Save(d)
	}
	for i := range d.Changes {
		d.Changes[i].judge(d.Compared)
	}
	return errors.Join(p.Save(d), p.proveAll(ctx, d))
}

// comparison is the order for a comparison of changes with the original.
type comparison struct {
	folder  string // below the output folder
	changes []*Change
	among   []sample.Key // benchmarks to choose from; nil is all
	budget  time.Duration
	hang    time.Duration // a run of a benchmark is stopped after it; 0 is as in experiment.Plan
}

// compare measures the original and each change, in the benchmarks that reach it. The document is nil if it ended before
// anything could be judged.
func (p Plan) compare(ctx context.Context, c comparison) (*result.Document, error) {
	names := []string{mode.Default}
	for _, change := range c.changes {
		names = append(names, change.Mode)
	}
	modes, err := mode.Parse(strings.Join(names, ","))
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(p.OutDir, c.folder)
	var doc *result.Document
	var runs []sample.Run
	if p.Before != nil {
		doc, runs = experiment.ResumePart(dir, names, p.Before.Made)
	}
	if doc == nil {
		doc = p.NewDocument()
	}
	facts := p.Target.Facts()
	if facts.Parts != nil {
		c.among = nil // the parts of a load have one run
	}
	s := choose(c.among, c.changes)
	plan := experiment.Plan{
		Target: p.Target, Modes: modes, Dir: p.Dir, OutDir: dir, Budget: max(c.budget, 1),
		Seed: doc.Seed, Handler: p.Handler, Among: s.among, Skips: s.skips, Select: true, Open: s.open,
	}
	if facts.Parts == nil && !facts.FixedLength {
		plan.Timeout = c.hang
	}
	err = experiment.Run(ctx, plan, doc, runs)
	if err != nil && len(doc.Effects) == 0 {
		return nil, err
	}
	return doc, err
}

// unmeasured says why a comparison failed that is not the end of the run: nobody stopped it,
// and the changes that other comparisons prove are worth having. A busy machine on which the
// time for a step is too short has this effect.
func unmeasured(ctx context.Context, err error) string {
	if err == nil || ctx.Err() != nil {
		return ""
	}
	return strings.SplitN(err.Error(), "\n", 2)[0]
}

// conclude writes the answer.
func (d *Document) conclude(p Plan) {
	kept := d.outcomes(Kept)
	switch {
	case d.Stopped != "":
		d.Answer = "The run ended before everything was decided; continue with: " +
			experiment.ResumeCommand("fix", p.OutDir)
	case len(d.Changes) == 0:
		d.Answer = "No check knows a safe change for the lines that cost most."
		if p.Proposer != nil {
			d.Answer = "No check knows a safe change for the lines that cost most, and the proposer proposes none."
		}
		if n := len(d.Diagnosis.Findings); n > 0 {
			f := d.Diagnosis.Findings[0]
			d.Answer += fmt.Sprintf(" The diagnosis has %s to look at yourself, the first of them: %s.",
				format.Plural(n, "finding"), f.Title)
		}
	case kept > 0 && d.Gain != nil:
		d.Answer = fmt.Sprintf("%s of %d kept: %s.", format.Plural(kept, "change"), len(d.Changes), d.Gain.Words())
		if d.outcomes(Unproven) > 0 {
			d.Answer += " Others are better but unproven; the patch leaves them out."
		}
	case d.outcomes(Unproven) > 0:
		d.Answer = fmt.Sprintf("No change is proven: %s better, but the tests do not show that they are right.",
			areOf(d.outcomes(Unproven), len(d.Changes)))
	default:
		d.Answer = fmt.Sprintf("None of %s is proven better.", format.Plural(len(d.Changes), "change"))
	}
}

// untried reports whether not one change was measured.
func (d *Document) untried() bool {
	return len(d.Changes) > 0 && !slices.ContainsFunc(d.Changes, func(c Change) bool {
		return c.Round > 0 || !strings.HasPrefix(c.Why, notMeasured)
	})
}

func areOf(n, all int) string {
	if n == 1 {
		return fmt.Sprintf("1 of %d is", all)
	}
	return fmt.Sprintf("%d of %d are", n, all)
}

func (d *Document) outcomes(o Outcome) (n int) {
	for _, c := range d.Changes {
		if c.Outcome == o {
			n++
		}
	}
	return n
}

// cpu is the metric that estimates are about.
const cpu = sample.Primary
