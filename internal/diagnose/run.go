package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Run builds evidence from the plan's sources, applies the rules and returns their
// findings. An error names the file, package or URL that it is about. After an
// interruption, there may be both a document and an error.
func Run(ctx context.Context, p Plan) (*Document, error) {
	p.Budget = cmp.Or(p.Budget, DefaultBudget)
	scratch, err := result.Scratch()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	profiles := evidence.NewProfilesWith(profile.Options{MaxBytes: p.MaxBytes, Open: p.Open})
	in := &inputs{plan: p, profiles: profiles, scratch: scratch}
	if err := in.read(ctx); err != nil {
		return nil, err
	}

	// Profiles alone show what a line costs. The source shows why it allocates.
	x, err := source.Open(ctx, source.Options{
		Dir: p.Dir, Modules: in.plan.Modules, Programs: in.programs(), Profiled: in.profiles.Newest(),
	})
	if err != nil {
		in.profiles.Note("no source: %v", err)
		x = nil
	}
	e, err := evidence.New(ctx, in.profiles, x, in.runtime)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, experiment.ErrInterrupted
	case err != nil:
		return nil, err
	}

	// Following objects may take long in a large program, so a target's budget bounds it.
	// Profiles that a user names have no budget.
	if in.clock != nil {
		in.clock.compiled(x.Compiling())
		if took := x.Compiling(); took >= longCompile {
			e.Notes = append(e.Notes, fmt.Sprintf("compiling for the compiler's escape reasons took %v, "+
				"which does not count against the budget", took.Round(time.Second)))
		}
		e.Until = in.clock.until(analysisPart, p.Analysis)
		e.Flow.Bound(e.Until)
	}
	findings, silent := rules.Find(e)
	if n := e.Flow.Unfollowed(); n > 0 {
		e.Notes = append(e.Notes, "the budget left open "+format.Plural(n, "question")+" about where objects end up; "+
			"the findings name them, and propose no arena and no pool there: give a larger -budget")
	}

	// Facts from elsewhere may add to a finding: newer versions of a dependency, the
	// program's production, and the price of a line.
	addLatest(ctx, x, findings)
	production, err := in.production(ctx, x)
	if err != nil {
		return nil, err
	}
	if production != nil {
		inProduction(findings, e, production)
	}
	if p.Price && in.target != nil && x != nil {
		notes, err := in.price(ctx, x, e, findings)
		switch {
		case errors.Is(err, experiment.ErrInterrupted):
			return nil, err
		case err != nil:
			e.Notes = append(e.Notes, fmt.Sprintf("the lines could not be priced: %v", err))
		}
		e.Notes = append(e.Notes, notes...)
	}

	var small []rules.Finding
	if p.Lengths && in.target != nil && x != nil {
		small, err = in.lengths(ctx, x, e, findings)
		switch {
		case errors.Is(err, experiment.ErrInterrupted):
			return nil, err
		case err != nil:
			e.Notes = append(e.Notes, fmt.Sprintf("lengths could not be measured: %v", err))
		}
	}

	addReached(in.recordings, findings, small)

	// The notes are complete only now.
	doc := newDocument(e, in.profiles.Sources, findings)
	doc.Notes = slices.Concat(in.profiles.Notes, e.Notes, silent)
	if production != nil {
		if doc.Production = e.Alike(production); len(doc.Production) == 0 {
			doc.Notes = append(doc.Notes, "the profiles of production share no metric with those taken here")
		}
	}
	if unlike := doc.Unlike(); unlike != "" {
		doc.Notes = append(doc.Notes, unlike)
	}
	doc.Small = small
	doc.Recorded, doc.LeftOut, doc.Failed = in.recorded, in.leftOut, in.failed
	if doc.Target = strings.Join(p.Sources, " "); in.target != nil {
		doc.Target, doc.Revision = in.target.String(), experiment.Revision(ctx, p.Dir)
	}
	doc.relative(p.Dir, x)
	if in.target != nil && in.target.Facts().FixedLength {
		doc.RunTime = in.runtime.Seconds.Value
	}

	// Runs without collections come last. They get the rest of the budget, and the
	// document is useful without them.
	if in.target != nil && doc.CPU != nil {
		c, err := in.control(ctx)
		switch {
		case errors.Is(err, experiment.ErrInterrupted):
			doc.Notes = append(doc.Notes, "the cost of collecting was not measured: interrupted")
			return doc, err
		case err != nil:
			doc.Notes = append(doc.Notes, fmt.Sprintf("the cost of collecting could not be measured: %v", err))
		}
		doc.CPU.Measured = c
		doc.contradict()
	}
	if in.clock != nil {
		doc.Compiling = in.clock.compiling.Seconds()
	}
	return doc, ctx.Err()
}

// read reads all sources.
func (in *inputs) read(ctx context.Context) error {
	if in.plan.Target != nil {
		if len(in.plan.Sources) > 0 {
			return fmt.Errorf("%s beside %s: give one of the two", in.plan.Sources[0], in.plan.Target)
		}
		return in.run(ctx, in.plan.Target)
	}
	if i := slices.IndexFunc(in.plan.Sources, isService); i >= 0 {
		// Find that out before half a minute is spent on the first.
		if j := slices.IndexFunc(in.plan.Sources[i+1:], isService); j >= 0 {
			return fmt.Errorf("%s beside %s: two services are two programs; diagnose each alone",
				in.plan.Sources[i+1+j], in.plan.Sources[i])
		}
	}
	var packages []string
	for _, name := range in.plan.Sources {
		var err error
		switch in.locate(ctx, name) {
		case service:
			err = in.collect(ctx, name)
		case file:
			err = in.profiles.AddFile(name)
		case folder:
			err = in.addFolder(name)
		case goPackage:
			packages = append(packages, name)
		default:
			err = fmt.Errorf("%s: no such file, folder, package or URL", termtext.Harmless(name))
		}
		if err != nil {
			return err
		}
	}
	if len(packages) == 0 {
		return nil
	}
	if len(in.profiles.Sources) > 0 {
		return fmt.Errorf("%s beside profiles: a package's benchmarks are diagnosed alone", packages[0])
	}
	return in.run(ctx, &target.Packages{Names: packages, Bench: in.plan.Bench})
}
