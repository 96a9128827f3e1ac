package probe

import (
	"maps"
	"slices"
)

// Span is the collections of a part of a run: those after number After, up to
// UpTo.
type Span struct{ After, UpTo int }

// Since returns the difference between an earlier dump of the same run and this one:
// collections, CPU time and pauses. Figures that are no counts have no difference and
// are left out: a Trace has the live heaps and goals of the collections in Spans.
//
// A dump is up to 20 ms older than the moment at which it is read.
func (d Dump) Since(earlier Dump) Dump {
	out := Dump{
		GoVersion: d.GoVersion, Env: d.Env,
		CPU: d.CPU - earlier.CPU, CPUAtGC: d.CPUAtGC - earlier.CPUAtGC,
		Uints: map[string]uint64{}, Floats: map[string]float64{},
		Pauses: subtract(d.Pauses, earlier.Pauses),
		Spans:  []Span{{earlier.Cycles(true), d.Cycles(true)}},
	}
	for _, name := range []string{"/gc/cycles/total:gc-cycles", "/gc/cycles/automatic:gc-cycles"} {
		out.Uints[name] = d.Uints[name] - min(d.Uints[name], earlier.Uints[name])
	}
	if d.Cycles(true) == earlier.Cycles(true) {
		// A collection that only began has added its first pause to the CPU
		// classes, and nothing else; beside it they would show no other work.
		return out
	}
	for name, v := range d.Floats {
		out.Floats[name] = max(0, v-earlier.Floats[name])
	}
	return out
}

// Plus adds another part of the same run.
func (d Dump) Plus(other Dump) Dump {
	out := d
	out.CPU, out.CPUAtGC = d.CPU+other.CPU, d.CPUAtGC+other.CPUAtGC
	out.Uints, out.Floats = maps.Clone(d.Uints), maps.Clone(d.Floats)
	for name, v := range other.Uints {
		out.Uints[name] += v
	}
	for name, v := range other.Floats {
		out.Floats[name] += v
	}
	out.Pauses = add(d.Pauses, other.Pauses)
	out.Spans = slices.Concat(d.Spans, other.Spans)
	return out
}

// subtract takes the counts of an earlier histogram away. A bucket that was
// empty is not in a dump.
func subtract(now, earlier []Bucket) []Bucket {
	before := map[float64]uint64{}
	for _, b := range earlier {
		before[b.Low] = b.Count
	}
	left := []Bucket{}
	for _, b := range now {
		if b.Count -= min(b.Count, before[b.Low]); b.Count > 0 {
			left = append(left, b)
		}
	}
	return left
}

func add(a, b []Bucket) []Bucket {
	all := map[float64]Bucket{}
	for _, bucket := range slices.Concat(a, b) {
		bucket.Count += all[bucket.Low].Count
		all[bucket.Low] = bucket
	}
	sum := make([]Bucket, 0, len(all))
	for _, low := range slices.Sorted(maps.Keys(all)) {
		sum = append(sum, all[low])
	}
	return sum
}

// within returns the collections of the trace that are in one of the spans.
func (t Trace) within(spans []Span) Trace {
	out := Trace{Mixed: t.Mixed}
	for _, c := range t.Cycles {
		if slices.ContainsFunc(spans, func(s Span) bool { return c.Number > s.After && c.Number <= s.UpTo }) {
			out.Cycles = append(out.Cycles, c)
		}
	}
	return out
}
