package versus

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// matrix has the cost of each function in each process as a share of the mean cost of an
// older process, the older processes first.
type matrix struct {
	cells    [][]float64 // row, process
	variance [][]float64 // the share of sampling in the noise of a cell
	scale    []float64   // process → the share that one unit of its column is
	split    []bool      // process → it is of the newer version
	olders   int
	total    int // the row of whole processes
}

func matrixOf(t *tally, all []Process, olders int, perWork bool) *matrix {
	n := len(all)
	m := &matrix{olders: olders, total: len(t.names.shown), split: make([]bool, n), scale: make([]float64, n)}
	mean, usual := 0.0, t.usual()
	for i, p := range all {
		m.split[i] = i >= olders
		if perWork {
			m.scale[i] = 1 / p.Work
		} else {
			m.scale[i] = 1 / max(usual[i], 1)
		}
		if i < olders {
			mean += t.total[i] * m.scale[i] / float64(olders)
		}
	}
	for i := range all {
		m.scale[i] /= max(mean, math.SmallestNonzeroFloat64)
	}
	for row := range m.total + 1 {
		cells, variance := make([]float64, n), make([]float64, n)
		for i := range all {
			v := t.total[i]
			if row < m.total {
				v = t.flat[i].at(row)
			}
			cells[i], variance[i] = m.cell(t, i, v)
		}
		m.cells, m.variance = append(m.cells, cells), append(m.variance, variance)
	}
	return m
}

// cell returns a cost of a process as a share, and its variance by sampling.
func (m *matrix) cell(t *tally, process int, cost float64) (share, variance float64) {
	scale := m.scale[process]
	return cost * scale, cost * t.period[process] * scale * scale
}

// usual returns the total of each process if it were only as large as most of its
// functions make it: the median of their costs, as multiples of their mean shares in all
// processes. One function that costs more leaves it as it is, so the others do not seem
// to cost less (Anders and Huber, Genome Biology 11, 2010, for the same kind of counts).
func (t *tally) usual() []float64 {
	shares := make([]float64, len(t.names.shown))
	for i, total := range t.total {
		for row := range shares {
			shares[row] += t.flat[i].at(row) / max(total, 1) / float64(len(t.total))
		}
	}
	all := make([]float64, len(t.total))
	for i := range all {
		type multiple struct{ of, weight float64 }
		var multiples []multiple
		for row, share := range shares {
			if share > 0 {
				multiples = append(multiples, multiple{t.flat[i].at(row) / share, share})
			}
		}
		slices.SortFunc(multiples, func(a, b multiple) int { return cmp.Compare(a.of, b.of) })
		weight := 0.0
		for _, m := range multiples {
			if weight += m.weight; weight >= 0.5 {
				all[i] = m.of
				break
			}
		}
	}
	return all
}

// signed returns the share of the mean difference that one unit of a process's column is.
func (m *matrix) signed(process int) float64 {
	if m.split[process] {
		return m.scale[process] / float64(len(m.split)-m.olders)
	}
	return -m.scale[process] / float64(m.olders)
}

// means returns the mean cost of a row in each version.
func (m *matrix) means(row int) (before, after float64) {
	for i, v := range m.cells[row] {
		if m.split[i] {
			after += v
		} else {
			before += v
		}
	}
	return before / float64(m.olders), after / float64(len(m.split)-m.olders)
}

// atLeast returns the rows of functions whose cost is at least a share in either version:
// no other can change by as much.
func (m *matrix) atLeast(share float64) (rows []int) {
	for row := range m.total {
		if before, after := m.means(row); max(before, after) >= share {
			rows = append(rows, row)
		}
	}
	return rows
}

// difference returns how much more a row costs in the processes of one side of a split,
// and the standard error. Neither the processes nor the samples in their profiles may
// vary more than that says, so the larger of the two counts.
func (m *matrix) difference(row int, split []bool) (d, se float64) {
	return difference(m.cells[row], m.variance[row], split)
}

func difference(cells, sampling []float64, split []bool) (d, se float64) {
	var n, sum, variance [2]float64
	for i, v := range cells {
		side := 0
		if split[i] {
			side = 1
		}
		n[side]++
		sum[side] += v
		variance[side] += sampling[i]
	}
	mean := [2]float64{sum[0] / n[0], sum[1] / n[1]}
	squares := 0.0
	for i, v := range cells {
		side := 0
		if split[i] {
			side = 1
		}
		squares += (v - mean[side]) * (v - mean[side])
	}
	between := squares / (n[0] + n[1] - 2) * (1/n[0] + 1/n[1])
	sampled := variance[0]/(n[0]*n[0]) + variance[1]/(n[1]*n[1])
	return mean[1] - mean[0], math.Sqrt(max(between, sampled))
}

// draws is how many splits are tried where there are more: 1% of them are known to within
// a sixth of themselves (one standard error).
const draws = 4000

// critical returns the quantile of the largest difference over all rows, in standard
// errors, if the versions are equal: then any split of the processes is as good as the
// true one (Westfall and Young, Resampling-Based Multiple Testing, 1993). The draws are
// the same each time, so the same profiles give the same answer.
func (m *matrix) critical(rows []int, level float64) float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	split := slices.Clone(m.split)
	var largest []float64
	for range draws {
		rng.Shuffle(len(split), func(i, j int) { split[i], split[j] = split[j], split[i] })
		most := 0.0
		for _, row := range rows {
			if d, se := m.difference(row, split); se > 0 {
				most = max(most, math.Abs(d)/se)
			}
		}
		largest = append(largest, most)
	}
	slices.Sort(largest)
	return largest[min(draws-1, int(math.Ceil((1-level)*draws)))]
}

// splits returns in how many ways processes can be split into two groups of a size.
func splits(a, b int) float64 {
	if a < 1 || b < 1 {
		return 0
	}
	ways := 1.0
	for i := 1; i <= min(a, b); i++ {
		ways *= float64(a+b-i+1) / float64(i)
	}
	return ways
}
