package price

import (
	"math"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
)

// level is the error that each interval allows for. The effects of an experiment share it, so
// that none of many claims is false, and their intervals widen with the number of modes. A price
// claims nothing about the other lines.
const level = 0.05

// ratio is a mode's figure divided by the baseline's: the mean over the benchmarks, with the mean
// of the intervals, which is rather too wide.
type ratio struct{ middle, low, high float64 }

// ratioOf compares a metric in two modes, and reports false if no block has both. With too few
// blocks the interval has no ends: 0 and +Inf.
func ratioOf(doc *result.Document, mode, baseline, metric string) (r ratio, ok bool) {
	figures := map[sample.Key]map[int]*pair{}
	for _, run := range doc.Runs {
		v := run.Values[metric]
		if v <= 0 {
			continue
		}
		blocks := figures[run.Key]
		if blocks == nil {
			blocks = map[int]*pair{}
			figures[run.Key] = blocks
		}
		p := blocks[run.Block]
		if p == nil {
			p = &pair{}
			blocks[run.Block] = p
		}
		switch run.Mode {
		case mode:
			p.with.add(math.Log(v))
		case baseline, baseline + sample.ControlSuffix: // the same program
			p.without.add(math.Log(v))
		}
	}
	n := 0.0
	for _, blocks := range figures {
		var logs []float64
		for _, p := range blocks {
			if p.with.n > 0 && p.without.n > 0 {
				logs = append(logs, p.with.sum/p.with.n-p.without.sum/p.without.n)
			}
		}
		d, err := stats.NewDifferences(logs)
		if err != nil {
			continue
		}
		between := d.Interval(level)
		r.middle += math.Exp(d.Estimate())
		r.low, r.high = r.low+math.Exp(between.Low), r.high+math.Exp(between.High)
		n++
	}
	return ratio{r.middle / n, r.low / n, r.high / n}, n > 0
}

// bounded reports whether there were enough blocks for the interval.
func (r ratio) bounded() bool { return r.low > 0 && !math.IsInf(r.high, 0) }

// pair has the logarithms of a metric in one block.
type pair struct{ with, without mean }

type mean struct{ sum, n float64 }

func (m *mean) add(x float64) { m.sum, m.n = m.sum+x, m.n+1 }
