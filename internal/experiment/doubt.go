package experiment

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// doubts about timed runs are kept with their details by block, and reported once at the
// end.
type doubts map[doubtful]map[int]string

type doubtful struct {
	cellBench
	what string
}

func (d doubts) add(at cellBench, block int, all []target.Doubt) {
	for _, doubt := range all {
		k := doubtful{at, doubt.What}
		if d[k] == nil {
			d[k] = map[int]string{}
		}
		d[k][block] = doubt.Detail
	}
}

// forget drops the doubts about a block.
func (d doubts) forget(block int) {
	for k, blocks := range d {
		if delete(blocks, block); len(blocks) == 0 {
			delete(d, k)
		}
	}
}

// noteDoubts notes the doubts about the timed runs of each mode. The control is the
// baseline once more.
func (e *experiment) noteDoubts() {
	order := slices.SortedFunc(maps.Keys(e.doubts), func(a, b doubtful) int {
		return cmp.Or(cmp.Compare(a.key.String(), b.key.String()), cmp.Compare(a.mode, b.mode),
			cmp.Compare(a.what, b.what))
	})
	for _, d := range order {
		if strings.HasSuffix(d.mode, sample.ControlSuffix) {
			continue
		}
		blocks := e.doubts[d]
		first := blocks[slices.Min(slices.Collect(maps.Keys(blocks)))]
		e.note("%s in %s, %d of %d runs: %s (%s)", d.key, d.mode, len(blocks), e.count(d.cellBench), d.what, first)
	}
}

func (e *experiment) count(at cellBench) (n int) {
	for _, r := range e.doc.Runs {
		if r.Key == at.key && r.Mode == at.mode {
			n++
		}
	}
	return n
}
