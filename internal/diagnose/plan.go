package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/plain"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/source"
)

// DefaultBudget is how long running a target may take in all.
const DefaultBudget = 2 * time.Minute

// Plan says what is diagnosed. Its zero value but for Sources or Target is useful.
type Plan struct {
	Sources  []string          // files, folders, package patterns, URLs; all that are given together
	Target   experiment.Target // instead: what is run with profiles
	Bench    string            // of packages: the benchmarks that match; "" is all
	Dir      string            // where packages and source are looked for, absolute
	MaxBytes int64             // of a profile, inflated; 0 is profile.DefaultMaxBytes
	Budget   time.Duration     // for running a target; 0 is DefaultBudget
	Handler  result.Handler
	// Collect fetches the profiles of a live service into a folder; nil where
	// this build cannot.
	Collect func(ctx context.Context, url, dir string) error
}

// Run gathers evidence from the plan's sources, asks the rules and returns what
// they found. An error names the file, package or URL that it is about; where it
// is an interruption the document may be there all the same.
func Run(ctx context.Context, p Plan) (*Document, error) {
	p.Budget = cmp.Or(p.Budget, DefaultBudget)
	scratch, err := os.MkdirTemp("", "heapwright-diagnose")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	in := &inputs{plan: p, profiles: NewProfiles(p.MaxBytes), scratch: scratch}
	if err := in.read(ctx); err != nil {
		return nil, err
	}
	x, err := source.Open(ctx, source.Options{Dir: p.Dir, Profiled: in.profiles.newest()})
	if err != nil {
		in.profiles.note("no source: %v", err)
		x = nil
	}
	e, err := Gather(in.profiles, x, in.runtime)
	if err != nil {
		return nil, err
	}
	if x != nil {
		if err := x.Study(ctx, e.places()); err != nil {
			e.note("the source could not be studied: %v", err)
		}
		if ctx.Err() != nil {
			return nil, experiment.ErrInterrupted
		}
		e.Notes = append(e.Notes, x.Notes()...)
	}
	findings, silent := e.Find()
	e.Notes = slices.Concat(in.profiles.Notes, e.Notes, silent)
	doc := e.Document(findings)
	doc.Sources = in.profiles.Sources
	doc.relative(p.Dir, x)
	if in.target != nil && doc.CPU != nil {
		c, err := in.control(ctx)
		switch {
		case errors.Is(err, experiment.ErrInterrupted):
			doc.Notes = append(doc.Notes, "what collecting costs was not measured: interrupted")
			return doc, err // the profiles were taken, and are worth keeping
		case err != nil:
			doc.Notes = append(doc.Notes, fmt.Sprintf("what collecting costs could not be measured: %v", err))
		}
		doc.CPU.Measured = c
	}
	return doc, ctx.Err()
}

// newest is when the last profile was taken.
func (s *Profiles) newest() time.Time {
	var last time.Time
	for _, src := range s.Sources {
		if src.Taken.After(last) {
			last = src.Taken
		}
	}
	return last
}

// inputs are the sources of a plan while they are read.
type inputs struct {
	plan     Plan
	profiles *Profiles
	runtime  Runtime
	scratch  string

	target     experiment.Target // that can be run; nil: none
	benchmarks int               // of it that were recorded
}

// read reads all sources.
func (in *inputs) read(ctx context.Context) error {
	if in.plan.Target != nil {
		if len(in.plan.Sources) > 0 {
			return fmt.Errorf("%s beside %s: give one of the two", in.plan.Sources[0], in.plan.Target)
		}
		return in.run(ctx, in.plan.Target)
	}
	isService := func(name string) bool { return in.locate(name) == service }
	if i := slices.IndexFunc(in.plan.Sources, isService); i >= 0 {
		if j := slices.IndexFunc(in.plan.Sources[i+1:], isService); j >= 0 { // before half a minute is spent on the first
			return fmt.Errorf("%s beside %s: two services are two programs; diagnose each alone", in.plan.Sources[i+1+j], in.plan.Sources[i])
		}
	}
	var packages []string
	for _, name := range in.plan.Sources {
		var err error
		switch in.locate(name) {
		case service:
			err = in.collect(ctx, name)
		case file:
			err = in.profiles.AddFile(name)
		case folder:
			err = in.addFolder(name)
		case goPackage:
			packages = append(packages, name)
		default:
			err = fmt.Errorf("%s: no such file, folder, package or URL", plain.Harmless(name))
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
	return in.run(ctx, &experiment.Packages{Names: packages, Bench: in.plan.Bench})
}

// collect fetches a live service's profiles and reads them.
func (in *inputs) collect(ctx context.Context, url string) error {
	if in.plan.Collect == nil {
		return fmt.Errorf("%s: fetch it first: heapwright collect -o DIR %s, then: heapwright diagnose DIR", url, url)
	}
	dir := filepath.Join(in.scratch, "collected")
	if err := in.plan.Collect(ctx, url, dir); err != nil {
		return err
	}
	return in.addFolder(dir)
}
