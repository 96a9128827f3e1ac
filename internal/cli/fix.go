package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/fix"
	"github.com/heapwright/heapwright/internal/fix/propose"
	"github.com/heapwright/heapwright/internal/fix/view"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
)

var fixCommand = command{
	name:  "fix",
	args:  "[flags] PACKAGES | -main PACKAGE [-- args] | -apply",
	short: "make the safe changes that a diagnosis proposes, and keep those that are proven",
	long: `
Fix profiles the target and takes the findings for whose lines a static check knows a
safe change. It measures the program with each change, by the method of compare. With
those that are better it runs go vet, the tests and the race tests of all packages that
the change can affect. What passes is joined into one patch and measured again.

  heapwright fix ./...
  heapwright fix ./... -bench Decode -budget 10m
  heapwright fix -main ./cmd/import -- -file big.csv
  heapwright fix -apply
  heapwright fix -apply -commit

Your files stay as they are until you run heapwright fix -apply, which applies the
patch in the output folder; with -commit, each change becomes a git commit with its
measured gain. A change whose lines no test runs is unproven: it is shown,
and the patch leaves it out. Ctrl-C loses the block or the tests in progress; -resume
continues.

With -propose, a program of yours proposes changes for the other findings. It gets a JSON
document on standard input and prints a unified diff. A guard refuses diffs that win by
other means than better code; the rest is measured and proven in the same way.

  heapwright fix -propose 'my-agent --json' -propose-env MY_API_KEY ./...`,
	prepare: func(fs *flagSet) runner {
		f := &fixFlags{}
		f.register(fs)
		return f.run
	},
}

type fixFlags struct {
	targetFlags
	plan   fix.Plan
	asks   propose.Proposer
	apply  bool
	commit bool
	resume bool
	json   bool
}

func (f *fixFlags) register(fs *flagSet) {
	f.targetFlags.register(fs)
	p := &f.plan
	outFlag(fs, &p.OutDir)
	fs.experiment.common.Func("budget", "measure for about `TIME`, not counting builds and tests (default: 5m)", func(s string) (err error) {
		if p.Budget, err = time.ParseDuration(s); err == nil && p.Budget <= 0 {
			err = errors.New("give some time; 1m is the least that decides anything")
		}
		return err
	})
	fs.experiment.rare.IntVar(&p.Most, "most", fix.DefaultMost, "try at most `N` changes, those that may save most")
	fs.experiment.common.BoolVar(&f.resume, "resume", false, "continue the interrupted run in the output folder")
	testFlags(fs, &p.Tests, fix.DefaultTests, &p.Race)
	f.registerProposer(fs)
	seedFlag(fs, &p.Seed)
	productionFlag(fs, &p.Production)
	jsonFlag(fs, &f.json)
	fs.output.common.BoolVar(&f.apply, "apply", false, "apply the proven patch in the output folder to your files, and measure nothing")
	fs.output.common.BoolVar(&f.commit, "commit", false, "with -apply: make a git commit of each change")
}

func (f *fixFlags) registerProposer(fs *flagSet) {
	a := &f.asks
	common, rare := &fs.proposals.common, &fs.proposals.rare
	common.Func("propose", "ask `COMMAND` for changes where no check has one; it runs in a copy of the module",
		func(s string) (err error) {
			a.Command, err = propose.Split(s)
			return err
		})
	rare.Func("propose-env", "let it see the variables `NAMES`, separated by commas, beside PATH and HOME",
		func(s string) error {
			a.Env = strings.Split(s, ",")
			return nil
		})
	rare.IntVar(&a.Rounds, "rounds", propose.DefaultRounds,
		"ask about each finding at most `N` times; the command learns why its earlier proposals were rejected")
	rare.DurationVar(&a.Time, "propose-time", propose.DefaultTime, "stop the command after `TIME`")
	allowFlag(fs, &a.Allowed)
}

func (f *fixFlags) run(ctx context.Context, env Env, args arguments) (err error) {
	p := &f.plan
	if p.Dir, err = folder(f.dir); err != nil {
		return err
	}
	kept := view.Folder{Dir: p.OutDir}
	if f.apply {
		if len(args.names) > 0 || args.after != nil || f.main != "" {
			return usagef("-apply takes the patch of the last run in the output folder; name no target")
		}
		return f.applyKept(ctx, env, kept)
	}
	if f.commit {
		return usagef("-commit goes with -apply, once the changes are proven")
	}
	if f.resume {
		return f.goOn(ctx, env, args)
	}
	switch {
	case f.asks.Command == nil:
	case f.loadFlags.given():
		return usagef("-propose takes benchmarks and commands: runs of a server are not confined")
	case f.asks.Rounds < 1 || f.asks.Time <= 0:
		return usagef("-rounds and -propose-time are above 0")
	default:
		p.Proposer = &f.asks
	}
	if p.Target, err = f.target(ctx, args); err != nil {
		return err
	}
	release, err := args.claim(env, p.OutDir)
	if err != nil {
		return err
	}
	defer release()
	var done func()
	if p.Production, done, err = productionOf(ctx, env, "fix", p.Production); err != nil {
		return err
	}
	defer done()
	p.Seed = drawn(p.Seed)
	return f.fix(ctx, env, args)
}

// goOn takes the plan from the run that was cut short. Only the budget may be given again.
func (f *fixFlags) goOn(ctx context.Context, env Env, args arguments) (err error) {
	dir, budget := f.plan.OutDir, f.plan.Budget
	release, err := args.resumes(env, dir)
	if err != nil {
		return err
	}
	defer release()
	file := view.Folder{Dir: dir}.Document()
	if f.plan, err = fix.Resume(ctx, file); err != nil {
		return err
	}
	p := &f.plan
	nameForeign(env, "fix", file, p.Target, nil)
	if p.Proposer != nil {
		fmt.Fprintf(env.Stderr, "heapwright fix: note: %s asks %q for changes\n", file, p.Proposer.Command)
	}
	p.OutDir, p.Budget = dir, cmp.Or(budget, p.Budget)
	args.typed, args.dir = p.Before.Command, p.Before.Dir
	return f.fix(ctx, env, args)
}

func (f *fixFlags) fix(ctx context.Context, env Env, args arguments) error {
	p, kept := &f.plan, view.Folder{Dir: f.plan.OutDir}
	progress := report.Progress(env.Stderr)
	defer progress.Close()
	p.Handler = progress
	p.NewDocument = func() *result.Document { return args.document(p.Seed) }
	p.Save = func(d *fix.Document) error {
		d.Tool, d.Command, d.Dir = version(), args.typed, args.dir
		return kept.Save(d)
	}
	args.saves()
	doc, err := fix.Run(ctx, *p)
	progress.Close()
	if doc == nil {
		return err
	}
	switch interrupted := errors.Is(err, experiment.ErrInterrupted) || ctx.Err() != nil; {
	case interrupted && doc.Plan == nil:
		err = errors.New("interrupted in the diagnosis; run it again")
	case interrupted:
		err = fmt.Errorf("interrupted; the measurements are kept; continue with: %s",
			experiment.ResumeCommand("fix", p.OutDir))
	}
	if f.json {
		return errors.Join(err, printFile(env, kept.Document()))
	}
	return errors.Join(err, view.Text(env.Stdout, doc, kept.Patch()))
}

// applyKept applies the changes of the last run to the user's files.
func (f *fixFlags) applyKept(ctx context.Context, env Env, kept view.Folder) error {
	if f.commit {
		titles, err := fix.Commit(ctx, kept.Document(), f.plan.Dir)
		return errors.Join(err, view.Done(env.Stdout, "committed", titles))
	}
	files, err := fix.Apply(ctx, kept.Patch(), f.plan.Dir)
	return errors.Join(err, view.Done(env.Stdout, "changed", files))
}
