package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// Text describes stacks as text.
type Text struct {
	Counted bool   // each line ends in a number; else it counts once
	Units   string // Pyroscope's name of the units; "" and "samples" are samples of the CPU
	Rate    int    // samples of the CPU in a second; 0 is 100
	From    time.Time
	Until   time.Time
}

// Folded makes a pprof profile of lines such as "main;work;parse 10".
func Folded(text []byte, t Text) ([]byte, error) {
	p := newPprof()
	cpu := t.Units == "" || t.Units == "samples"
	rate := int64(t.Rate)
	if rate <= 0 || rate > 1e9 {
		rate = 100
	}
	switch {
	case cpu:
		p.valueType(1, "samples", "count")
		p.valueType(1, "cpu", "nanoseconds")
		p.valueType(11, "cpu", "nanoseconds")
		p.number(12, uint64(1e9/rate))
	case t.Units == "bytes":
		p.valueType(1, "inuse_space", "bytes")
	case t.Units == "objects":
		p.valueType(1, "inuse_objects", "count")
	default:
		p.valueType(1, t.Units, "count")
	}
	if !t.From.IsZero() {
		p.number(9, uint64(t.From.UnixNano()))
		p.number(10, uint64(max(0, t.Until.Sub(t.From))))
	}
	known := map[string]uint64{} // name → number of its function and location
	n, samples := 0, 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		value := int64(1)
		if t.Counted {
			at := bytes.LastIndexByte(line, ' ')
			var err error
			value, err = strconv.ParseInt(string(line[at+1:]), 10, 64)
			if err != nil || at < 0 || value < 0 || value > math.MaxInt64/(1e9/rate) {
				return nil, fmt.Errorf("line %d: write STACK NUMBER, as in main;work 10", n)
			}
			line = bytes.TrimSpace(line[:at])
		}
		var stack []uint64
		if bytes.Count(line, []byte(";")) >= mostFrames {
			return nil, fmt.Errorf("%w: line %d has more than %d functions", ErrLarge, n, mostFrames)
		}
		for name := range bytes.SplitSeq(line, []byte(";")) {
			stack = append(stack, p.frame(known, string(name)))
		}
		slices.Reverse(stack) // text has the outermost first
		values := []int64{value}
		if cpu {
			values = append(values, value*(1e9/rate))
		}
		if err := p.sample(stack, values...); err != nil {
			return nil, err
		}
		samples++
	}
	if samples == 0 {
		return nil, errors.New("there is no stack in it")
	}
	return p.out, nil
}

// frame returns the location of a function that is known by its name alone.
func (p *pprof) frame(known map[string]uint64, name string) uint64 {
	id, ok := known[name]
	if !ok {
		id = uint64(len(known) + 1)
		known[name] = id
		p.function(id, name, name, "", 0)
		p.message(4, line(number(nil, 1, id), id, 0))
	}
	return id
}
