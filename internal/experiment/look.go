package experiment

import (
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/verdict"
)

// looks plans at which block counts it is decided whether to go on.
func (e *experiment) looks() []int {
	if e.candidates() == 0 {
		return []int{e.plan.Blocks} // there is nothing to decide
	}
	looks, warning := verdict.PlanLooks(e.questions(), e.plan.Blocks)
	if warning != "" {
		e.note("%s", warning)
	}
	return looks
}

// questions counts the candidates of all benchmarks.
func (e *experiment) questions() (n int) {
	for _, b := range e.benches {
		n += len(b.keys()) * e.candidates()
	}
	return n
}

// look judges what was measured and reports how many questions are open.
func (e *experiment) look(blocks int) (open int, err error) {
	j, err := e.judge()
	if err != nil {
		return 0, err
	}
	open = j.Open
	if e.plan.Open != nil {
		open = e.plan.Open(j.Effects)
	}
	e.plan.Handler.Handle(result.Looked{Blocks: blocks, Open: open, Effects: j.Effects})
	return open, e.store.save(e.doc)
}
