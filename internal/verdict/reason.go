package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/sample"
)

// reason says in one sentence, without a full stop, why a mode is advised or
// not: the change of the primary metric first, then where it was seen, then the gains
// and the losses in other metrics.
func reason(d Decision, cpu tally, others []tally, silent []sample.Key, needed *Forecast) string {
	var gains, prices []string
	for _, m := range others {
		if len(m.better) > 0 {
			gains = append(gains, m.claim(m.better))
		}
		if len(m.worse) > 0 {
			prices = append(prices, m.claim(m.worse))
		}
	}
	var parts []string
	if len(silent) > 0 {
		parts = append(parts, noFigures(cpu.Title, silent))
	}
	if len(cpu.all) > 0 {
		parts = append(parts, primary(d, cpu, needed))
	} else if len(silent) == 0 {
		parts = append(parts, cpu.Title+" was not measured")
	}
	if d == Undecided && len(cpu.all) > 0 { // neither for the mode nor against it
		if proven := slices.Concat(gains, prices); proven != nil {
			parts = append(parts, "proven: "+strings.Join(proven, ", "))
		}
		return strings.Join(parts, "; ")
	}
	if gains != nil {
		parts = append(parts, word(d == Adopt, "also ", "but ")+strings.Join(gains, ", "))
	}
	if prices != nil {
		parts = append(parts, word(d == Adopt, "the price: ", "and ")+strings.Join(prices, ", "))
	}
	return strings.Join(parts, "; ")
}

// primary writes the change of the primary metric.
func primary(d Decision, cpu tally, needed *Forecast) string {
	name, n := cpu.Title, len(cpu.all)
	switch {
	case len(cpu.worse) > 0 && len(cpu.better) > 0:
		return fmt.Sprintf("no winner overall: %s %s in %s, but %s in %s; choose for each benchmark",
			name, format.Change(mean(cpu.better)), where(cpu.better), format.Change(mean(cpu.worse)), where(cpu.worse))
	case d == Neutral:
		return fmt.Sprintf("%s the same%s, within ±%s", name,
			word(n > 1, fmt.Sprintf(" in %s benchmarks", all(n)), ""), noise(cpu.all))
	case len(cpu.worse)+len(cpu.better) == 0 && len(cpu.open) > 0:
		return fmt.Sprintf("%s %s so far, not decided%s: %s", name, format.Change(mean(cpu.all)),
			word(n > 1, fmt.Sprintf(" in %d of %d benchmarks", len(cpu.open), n), ""), wait(cpu.open, needed))
	}
	return name + " " + format.Change(mean(cpu.all)) + cpu.scope()
}

// scope says how a metric came out over several benchmarks.
func (t tally) scope() string {
	n := len(t.all)
	if n <= 1 {
		return ""
	}
	var counts []string
	for _, c := range []struct {
		effects []Effect
		name    string
	}{{t.worse, "worse"}, {t.better, "better"}, {t.same, "the same"}, {t.open, "undecided"}} {
		if len(c.effects) == n {
			return fmt.Sprintf(", %s in %s benchmarks", c.name, all(n))
		}
		if len(c.effects) > 0 {
			counts = append(counts, fmt.Sprintf("%s in %d", c.name, len(c.effects)))
		}
	}
	return fmt.Sprintf(" over %d benchmarks (%s)", n, strings.Join(counts, ", "))
}

func all(n int) string {
	if n == 2 {
		return "both"
	}
	return fmt.Sprintf("all %d", n)
}

// claim writes the mean change of the claimed effects, and their number where not all
// were claimed.
func (t tally) claim(claimed []Effect) string {
	s := t.Title + " " + format.Change(mean(claimed))
	if len(claimed) < len(t.all) {
		s += fmt.Sprintf(" in %d of %d", len(claimed), len(t.all))
	}
	return s
}

// mean is the geometric mean, or the change itself where all of them are from
// or to zero, which have none.
func mean(effects []Effect) float64 {
	if m := geomean(effects); m > 0 {
		return m
	}
	return effects[0].Ratio
}

// where names one benchmark, and counts several.
func where(effects []Effect) string {
	if len(effects) == 1 {
		return effects[0].Key.String()
	}
	return fmt.Sprintf("%d benchmarks", len(effects))
}

// noise is the largest δ of the effects.
func noise(effects []Effect) string {
	most := slices.MaxFunc(effects, func(a, b Effect) int { return cmp.Compare(a.Delta, b.Delta) })
	return format.Share(most.Delta)
}

// wait writes how long the slowest of the open questions would take.
func wait(open []Effect, needed *Forecast) string {
	switch {
	case needed == nil:
		return "not decided"
	case needed.Hopeless():
		return fmt.Sprintf("too close to the noise floor of ±%s to be decided", noise(open))
	}
	return needed.String() + " would decide"
}

func noFigures(metric string, keys []sample.Key) string {
	if len(keys) == 1 {
		return fmt.Sprintf("no figures of %s in %v", metric, keys[0])
	}
	return fmt.Sprintf("no figures of %s in %v and %d more", metric, keys[0], len(keys)-1)
}

func word(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
