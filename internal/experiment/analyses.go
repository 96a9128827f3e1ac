package experiment

import (
	"cmp"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/verdict"
)

// planAnalyses returns the block counts at which the experiment is judged to
// decide whether it continues.
func (e *experiment) planAnalyses() []int {
	if e.candidates() == 0 {
		return []int{e.plan.Blocks} // there is nothing to decide
	}
	if e.plan.Fill {
		e.plan.Blocks = max(cmp.Or(e.plan.Blocks, verdict.DefaultBlocks), e.doc.Blocks+e.fillingBlocks())
	}
	analyses, warning := verdict.PlanAnalyses(e.questions(), e.plan.Blocks)
	if warning != "" {
		e.note("%s", warning)
	}
	return analyses
}

// fillingBlocks is how many blocks the budget seems to allow for, by the untimed
// runs, and some more: a plan of too few would leave time.
func (e *experiment) fillingBlocks() int {
	const more = 1.25
	built := 1 + e.candidates() - len(e.plan.Again)
	block := e.probing / time.Duration(built) * time.Duration(len(e.arms()))
	return int(more * float64(e.left()) / float64(max(block, time.Millisecond)))
}

// questions counts the candidates of all benchmarks.
func (e *experiment) questions() (n int) {
	for _, b := range e.benches {
		n += len(b.keys()) * e.candidatesOf(b.Key)
	}
	return n
}

// analyse judges the measurements so far and reports how many questions are open.
func (e *experiment) analyse(blocks int) (open int, err error) {
	j, err := e.judge()
	if err != nil {
		return 0, err
	}
	open = j.Open
	if e.plan.Open != nil {
		open = e.plan.Open(j.Effects)
	}
	e.plan.Handler.Handle(result.Analysis{Blocks: blocks, Open: open, Effects: j.Effects})
	return open, e.store.save(e.doc)
}

// noteTooFew notes that the budget ended before anything could be decided, and
// the budget that the first verdict would need.
func (e *experiment) noteTooFew(all []verdict.Summary) {
	if e.doc.Stopped != OutOfTime || e.candidates() == 0 ||
		verdict.CanDecide(e.questions(), e.doc.Blocks, e.doc.Analyses) {
		return
	}
	least := e.doc.Blocks + 1
	for !verdict.CanDecide(e.questions(), least, e.doc.Analyses) {
		least++
	}
	more := verdict.Forecast{Blocks: least - e.doc.Blocks, Seconds: float64(least-e.doc.Blocks) * e.doc.PerBlock}
	text := more.String() + " would decide the clearest questions; "
	if mode, needed := verdict.Soonest(all); needed != nil && !needed.Hopeless() {
		text = needed.String() + " would decide about " + mode + "; "
	}
	e.note("%v of measuring ended after %s, too few to decide anything; %sgive a larger -budget",
		e.plan.Budget.Round(time.Millisecond), plural(e.doc.Blocks, "block"), text)
}
