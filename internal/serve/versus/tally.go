package versus

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/profile"
)

// tally holds the cost of each function in each process: flat has the samples whose
// innermost function it is, Go's own left aside, and cum all samples that it is in.
type tally struct {
	names     *names
	column    string
	flat, cum []costs // process → costs
	total     []float64
	period    []float64 // the weight of one sample of a process; 0 is not known

	known map[*profile.Dict][]lookup // FunctionID → lookup
}

// lookup is a function that was looked up.
type lookup struct {
	row       int
	own, seen bool
}

// costs are the costs of one process by function.
type costs []float64

func (c costs) at(row int) float64 {
	if row < len(c) {
		return c[row]
	}
	return 0
}

func (c *costs) add(row int, v float64) {
	for len(*c) <= row {
		*c = append(*c, 0)
	}
	(*c)[row] += v
}

func tallyOf(all []Process, column string) (*tally, error) {
	t := &tally{names: newNames(), column: column, known: map[*profile.Dict][]lookup{}}
	for _, p := range all {
		t.learn(p.Profile.Dict)
	}
	for _, p := range all {
		if _, ok := p.Profile.Column(column); !ok {
			return nil, fmt.Errorf("%s has no column %s", p.Profile.Name, column)
		}
		var flat, cum costs
		total := 0.0
		t.walk(p.Profile, func(frames []frame, v float64) {
			total += v
			flat.add(frames[0].row, v)
			for i, f := range frames {
				if !contains(frames[:i], f.row) {
					cum.add(f.row, v)
				}
			}
		})
		t.flat, t.cum, t.total = append(t.flat, flat), append(t.cum, cum), append(t.total, total)
		t.period = append(t.period, float64(p.Profile.Period))
	}
	return t, nil
}

// learn prepares a dictionary.
func (t *tally) learn(d *profile.Dict) {
	if t.known[d] == nil {
		t.known[d] = make([]lookup, d.NumFunctions())
		t.names.learn(d)
	}
}

// frame is one function of a stack that is not Go's own.
type frame struct {
	row      int
	function profile.FunctionID
	line     int64
}

func contains(frames []frame, row int) bool {
	for _, f := range frames {
		if f.row == row {
			return true
		}
	}
	return false
}

// walk calls do with the functions of each sample that are not Go's own, the innermost
// first. A sample without one has a row for that.
func (t *tally) walk(p *profile.Profile, do func(frames []frame, value float64)) {
	column, _ := p.Column(t.column)
	functions := t.known[p.Dict]
	var frames []frame
	for i, stack := range p.Stacks {
		value := p.Values[column][i]
		if value == 0 {
			continue
		}
		frames = frames[:0]
		row := runtimeRow
		for f := range p.Dict.Frames(stack) {
			if f.Function == 0 {
				continue
			}
			k := &functions[f.Function]
			if !k.seen {
				k.row, k.own = t.names.of(p.Dict.Function(f.Function))
				k.seen = true
			}
			if k.own {
				frames = append(frames, frame{k.row, f.Function, f.Line.Line})
			} else {
				row = max(row, k.row)
			}
		}
		if len(frames) == 0 {
			frames = append(frames, frame{row: row})
		}
		do(frames, float64(value))
	}
}
