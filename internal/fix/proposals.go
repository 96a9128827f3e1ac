package fix

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/fix/propose"
)

// maxFailures is the number of failures of a proposer, one after the other, from which on
// it is not asked again: it may take its whole time for each.
const maxFailures = 3

// confine bounds the runs of all changes as soon as some are proposals. Without proposals
// the code is the user's own.
func (p Plan) confine(ctx context.Context, d *Document) context.Context {
	if p.Proposer == nil {
		return ctx
	}
	if note := Unconfined(); note != "" && !slices.Contains(d.Notes, note) {
		d.Notes = append(d.Notes, note)
	}
	return confine(ctx)
}

// ask asks the proposer about the findings without a change that is kept, and judges its
// answers. The budget is shared by the findings that are left, and within one by its
// rounds, so time that a refusal saves is the next one's.
func (p Plan) ask(ctx context.Context, d *Document, budget time.Duration) error {
	q := &questions{plan: p, doc: d, rounds: p.Proposer.Rounds}
	if q.rounds <= 0 {
		q.rounds = propose.DefaultRounds
	}
	open := p.unsolved(d)
	for i, f := range open {
		share := budget / time.Duration(len(open)-i)
		spent, err := q.about(ctx, f, i+1, share)
		if err != nil {
			return err
		}
		if budget -= spent; q.failures == maxFailures {
			note := fmt.Sprintf("the proposer failed %d times and was not asked again", maxFailures)
			d.Notes = append(d.Notes, note)
			break
		}
	}
	return nil
}

// unsolved returns the findings that a proposer can do something about: in files of the
// module, and without a change that is kept.
func (p Plan) unsolved(d *Document) (open []finding) {
	for _, f := range d.Diagnosis.Findings {
		kept := slices.ContainsFunc(d.Changes, func(c Change) bool {
			return c.Outcome == Kept && c.File == f.File && c.Line == f.Line
		})
		if kept || f.OfTest() || f.Line == 0 || !filepath.IsLocal(f.File) {
			continue
		}
		if info, err := os.Lstat(filepath.Join(d.Root, f.File)); err != nil || !info.Mode().IsRegular() {
			continue // of a dependency
		}
		if len(open) == p.Most {
			note := fmt.Sprintf("the proposer was asked about %d findings only; -most asks about more", p.Most)
			d.Notes = append(d.Notes, note)
			break
		}
		open = append(open, f)
	}
	return open
}

// questions are the rounds with one proposer.
type questions struct {
	plan     Plan
	doc      *Document
	rounds   int
	failures int // one after the other
}

// about asks about one finding until a change is kept, and returns the time for measuring.
func (q *questions) about(
	ctx context.Context, f finding, number int, budget time.Duration,
) (spent time.Duration, err error) {
	request := propose.NewRequest(q.doc.Root, f, q.plan.Proposer.Allowed)
	request.Target, request.Benchmarks, request.Rounds = q.doc.Target, q.doc.Diagnosis.Recorded, q.rounds
	if q.plan.Before != nil {
		request.Tried = q.doc.tried(f)
	}
	for round := len(request.Tried) + 1; round <= q.rounds && q.failures < maxFailures; round++ {
		request.Round = round
		c := Change{
			Check: proposal, Round: round, Rule: f.Rule, Title: f.Title, File: f.File, Line: f.Line,
			Function: f.Function, Estimate: f.CPU, Production: f.Production, Benchmarks: f.Benchmarks,
			Outcome: Rejected,
		}
		c.Patch, err = q.answer(ctx, request)
		switch {
		case ctx.Err() != nil:
			return spent, ctx.Err()
		case errors.Is(err, propose.ErrNothing):
			return spent, nil
		case err != nil:
			q.failures++
			c.Why = "the proposer failed: " + err.Error()
		default:
			q.failures = 0
			began := time.Now()
			name, share := fmt.Sprintf("%d-%d", number, round), (budget-spent)/time.Duration(q.rounds-round+1)
			if err := q.judge(ctx, &c, request.Tried, name, share); err != nil {
				return spent, err
			}
			if c.Gain != nil {
				spent += time.Since(began)
				q.doc.spent += time.Since(began)
			}
		}
		q.doc.Changes = append(q.doc.Changes, c)
		if err := q.plan.Save(q.doc); err != nil || c.Outcome == Kept {
			return spent, err
		}
		request.Tried = append(request.Tried, propose.Attempt{Patch: c.Patch, Why: c.Why, Refused: c.Refused})
	}
	return spent, nil
}

// answer asks the proposer in a copy of the module that is thrown away.
func (q *questions) answer(ctx context.Context, r *propose.Request) (string, error) {
	w, err := copyTree(ctx, q.doc.Root, q.plan.OutDir)
	if err != nil {
		return "", err
	}
	defer w.remove()
	return q.plan.Proposer.Ask(ctx, w.root, r)
}

// judge decides on an answer. The error is about the machine, not about the answer.
func (q *questions) judge(
	ctx context.Context, c *Change, tried []propose.Attempt, name string, budget time.Duration,
) error {
	if slices.ContainsFunc(tried, func(a propose.Attempt) bool { return a.Patch == c.Patch }) {
		c.Why = "it was proposed before"
		return nil
	}
	plan := q.plan
	plan.Budget = budget
	_, err := plan.decide(ctx, Proposal{
		Root: q.doc.Root, Patch: c.Patch, Name: name, Among: q.doc.Diagnosis.Recorded, Allowed: q.plan.Proposer.Allowed,
	}, c)
	return err
}
