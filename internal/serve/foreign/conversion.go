package foreign

import (
	"fmt"
	"math"
	"time"
)

// conversion is the making of one profile.
type conversion struct {
	*otlp
	*pprof
	done   map[tableEntry]bool // entries that are written
	period int64
	cpu    bool // samples of the CPU, which get their time as a second value
}

// tableEntry is an entry of a table of the message.
type tableEntry struct {
	table string
	index uint64
}

func (m *otlp) profile(message []byte) (out Profile, err error) {
	c := &conversion{otlp: m, pprof: newPprof(), done: map[tableEntry]bool{}}
	var samples [][]byte
	var samplesOf, periodOf [2]string // type and unit
	var duration uint64
	if err := each(message, func(f field) error {
		switch f.number {
		case 1:
			samplesOf, err = m.typeAndUnit(f.data)
			return err
		case 5:
			periodOf, err = m.typeAndUnit(f.data)
			return err
		case 2:
			samples = append(samples, f.data)
		case 3:
			if f.n > 0 && f.n <= math.MaxInt64 {
				out.Time = time.Unix(0, int64(f.n))
			}
		case 4:
			duration = f.n
		case 6:
			c.period = int64(f.n)
		}
		return nil
	}); err != nil {
		return out, err
	}
	c.valueTypes(samplesOf, periodOf)
	if !out.Time.IsZero() {
		c.number(9, uint64(out.Time.UnixNano()))
	}
	c.number(10, min(duration, math.MaxInt64))
	for _, s := range samples {
		if err := c.convert(s); err != nil {
			return out, err
		}
	}
	out.Data = c.out
	return out, nil
}

// valueTypes writes the sample types. Profilers of the CPU count samples, and the period says
// the time of each.
func (c *conversion) valueTypes(samples, period [2]string) {
	c.valueType(1, samples[0], samples[1])
	c.cpu = samples == [2]string{"samples", "count"} && period == [2]string{"cpu", "nanoseconds"} &&
		c.period > 0 && c.period < 1e12
	if c.cpu {
		c.valueType(1, "cpu", "nanoseconds")
	}
	if period != [2]string{} {
		c.valueType(11, period[0], period[1])
		c.number(12, uint64(max(0, c.period)))
	}
}

// convert writes a sample and the entries of tables that it needs.
func (c *conversion) convert(message []byte) error {
	var stack uint64
	value, values, stamps := int64(0), 0, 0
	if err := each(message, func(f field) error {
		switch f.number {
		case 1:
			stack = f.n
		case 4:
			return f.varints(func(n uint64) error {
				value, values = value+int64(n), values+1
				return nil
			})
		case 5:
			stamps += max(1, len(f.data)/8)
		}
		return nil
	}); err != nil {
		return err
	}
	if values == 0 { // each time stands for one
		value = int64(stamps)
	}
	entry, err := at(c.stacks, stack)
	if err != nil {
		return fmt.Errorf("stack: %w", err)
	}
	var locations []uint64
	if err := each(entry, func(f field) error {
		if f.number != 1 {
			return nil
		}
		return f.varints(func(n uint64) error {
			if len(locations) == mostFrames {
				return fmt.Errorf("%w: a stack of more than %d locations", ErrLarge, mostFrames)
			}
			locations = append(locations, n+1) // 0 is no number in pprof
			return c.location(n)
		})
	}); err != nil {
		return err
	}
	if !c.cpu {
		return c.sample(locations, value)
	}
	if value < 0 || value > math.MaxInt64/c.period {
		return fmt.Errorf("%w: %d samples of %d ns", ErrForm, value, c.period)
	}
	return c.sample(locations, value, value*c.period)
}

// once calls do for the fields of a table's entry if that was not written yet.
func (c *conversion) once(name string, table [][]byte, index uint64, do func(field) error) (first bool, err error) {
	key := tableEntry{name, index}
	if c.done[key] {
		return false, nil
	}
	c.done[key] = true
	entry, err := at(table, index)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, each(entry, do)
}

func (c *conversion) location(index uint64) error {
	location := number(nil, 1, index+1)
	first, err := c.once("location", c.locations, index, func(f field) error {
		switch f.number {
		case 1:
			if f.n == 0 { // none
				return nil
			}
			location = number(location, 2, f.n+1)
			return c.mapping(f.n)
		case 2:
			location = number(location, 3, f.n)
		case 3:
			var function, at uint64
			if err := each(f.data, func(f field) error {
				switch f.number {
				case 1:
					function = f.n
				case 2:
					at = f.n
				}
				return nil
			}); err != nil {
				return err
			}
			location = line(location, function+1, at)
			return c.functionAt(function)
		}
		return nil
	})
	if first && err == nil {
		c.message(4, location)
	}
	return err
}

func (c *conversion) mapping(index uint64) error {
	mapping := number(nil, 1, index+1)
	first, err := c.once("mapping", c.mappings, index, func(f field) error {
		switch f.number {
		case 1, 2, 3:
			mapping = number(mapping, f.number+1, f.n)
		case 4:
			name, err := c.textAt(f.n)
			mapping = number(mapping, 5, c.text(name))
			return err
		}
		return nil
	})
	if first && err == nil {
		c.message(3, mapping)
	}
	return err
}

func (c *conversion) functionAt(index uint64) error {
	var words [3]string // name, system name, file
	var start uint64
	first, err := c.once("function", c.functions, index, func(f field) (err error) {
		switch f.number {
		case 1, 2, 3:
			words[f.number-1], err = c.textAt(f.n)
		case 4:
			start = f.n
		}
		return err
	})
	if first && err == nil {
		c.function(index+1, words[0], words[1], words[2], start)
	}
	return err
}

func (m *otlp) typeAndUnit(message []byte) (words [2]string, err error) {
	err = each(message, func(f field) (err error) {
		if f.number == 1 || f.number == 2 {
			words[f.number-1], err = m.textAt(f.n)
		}
		return err
	})
	return words, err
}

func (m *otlp) textAt(index uint64) (string, error) {
	if index == 0 {
		return "", nil
	}
	text, err := at(m.strings, index)
	return string(text), err
}

func at(table [][]byte, index uint64) ([]byte, error) {
	if index >= uint64(len(table)) {
		return nil, fmt.Errorf("%w: entry %d of %d", ErrForm, index, len(table))
	}
	return table[index], nil
}
