package experiment

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/sample"
)

// doubts about timed runs are counted, and told once at the end.
type doubts map[doubtful]*doubtCount

type doubtful struct {
	cellBench
	what string
}

type doubtCount struct {
	runs  int
	first string // its detail
}

func (d doubts) add(at cellBench, all []Doubt) {
	for _, doubt := range all {
		k := doubtful{at, doubt.What}
		if d[k] == nil {
			d[k] = &doubtCount{first: doubt.Detail}
		}
		d[k].runs++
	}
}

// tellDoubts notes what was doubtful about the timed runs of each mode. The
// control is the baseline once more.
func (e *experiment) tellDoubts() {
	order := slices.SortedFunc(maps.Keys(e.doubts), func(a, b doubtful) int {
		return cmp.Or(cmp.Compare(a.key.String(), b.key.String()), cmp.Compare(a.mode, b.mode), cmp.Compare(a.what, b.what))
	})
	for _, d := range order {
		if strings.HasSuffix(d.mode, sample.ControlSuffix) {
			continue
		}
		e.note("%s in %s, %d of %d runs: %s (%s)", d.key, d.mode, e.doubts[d].runs, e.count(d.cellBench), d.what, e.doubts[d].first)
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
