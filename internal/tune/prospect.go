package tune

import (
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
)

// A prospect holds the figures of a diagnosis that bound the gain of modes. Bytes are 0
// if they are not known.
type prospect struct {
	ceiling    evidence.Range // share of CPU that allocating nothing would save
	collection evidence.Range // share of CPU that GC takes: measured, or else by the samples
	measured   bool
	control    diagnose.Control // the measurement of collection; the ends of its interval may be negative
	live       float64          // heap that survives a collection
	rss        float64          // peak resident set
	retention  bool             // a finding could free a good part of the live heap
	few        bool             // most benchmarks were not profiled
}

// little is the share of CPU below which nobody changes a program.
const little = 0.03

// much is the smallest share of the live heap that makes a line worth changing, even if
// it takes no CPU.
const much = 0.25

// prospectOf returns the prospect of a diagnosis. If there was too little CPU for a
// profile, or too little time for most benchmarks, every gain is possible.
func prospectOf(d *diagnose.Document) prospect {
	e := prospect{ceiling: evidence.Range{High: 1}, collection: evidence.Range{High: 1}, few: fewProfiled(d)}
	if d.CPU != nil && !e.few {
		e.ceiling, e.collection = d.CPU.Ceiling, d.CPU.Collection
		if c := d.CPU.Measured; c != nil {
			e.collection, e.measured, e.control = evidence.Range{Low: max(0, c.Low), High: max(0, c.High)}, true, *c
		}
	}
	value := func(v *float64) float64 {
		if v == nil {
			return 0
		}
		return *v
	}
	e.live, e.rss = value(d.Memory.Live), value(d.Memory.RSS)
	for i := range d.Findings {
		e.retention = e.retention || d.Findings[i].Memory.Low >= much && e.live >= heapMinimum
	}
	return e
}

// fewProfiled reports whether most benchmarks did not fit into the budget, so that the
// profiled ones do not represent them.
func fewProfiled(d *diagnose.Document) bool { return len(d.LeftOut) > len(d.Recorded) }

// nothingToGain reports whether no remedy for allocating can matter. That is so if the
// samples leave almost no room for one, and the runs without collections do not prove
// the opposite. It uses the middle of the ceiling's range, because a few of the 200
// samples of a profile may be chance. On a busy machine the interval of the runs without
// collections is wide, and proves nothing.
func (e prospect) nothingToGain() bool {
	return e.ceiling.Middle() < little && e.ceiling.High < 2*little && (!e.measured || e.collection.Low < little) && !e.retention
}

// costs formats the cost of GC with its interval.
func (e prospect) costs() string {
	switch {
	case e.collection.High == 1:
		return "an unknown share"
	case e.measured:
		return format.Share(e.control.Saved) + " " + format.ShareInterval(e.control.Low, e.control.High)
	}
	return saving(e.collection)
}

// collects describes the cost of GC. Runs without it may have cost more.
func (e prospect) collects() string {
	if e.measured && e.control.Saved <= 0 {
		return "the cost of GC cannot be distinguished from noise: " + e.costs()
	}
	return "collecting takes " + e.costs() + " of CPU"
}

// agrees returns a sentence on whether the runs without collections, too, show that
// there is little to gain.
func (e prospect) agrees() string {
	switch {
	case !e.measured:
		return "What collecting costs was not measured by runs without it"
	case e.collection.High < little:
		return "Runs without collections agree: they save " + e.costs() + " of CPU"
	}
	return "Runs without collections neither prove nor refute it: they save " + e.costs() + " of CPU"
}

// collectsTooLittle reports whether no setting of the collector can matter.
func (e prospect) collectsTooLittle() bool { return e.collection.High < little }
