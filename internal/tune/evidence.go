package tune

import (
	"github.com/heapwright/heapwright/internal/diagnose"
)

// evidence is what the choice of candidates rests on. Bytes are 0 where they
// are not known.
type evidence struct {
	ceiling    diagnose.Range // share of CPU that allocating nothing would save
	collection diagnose.Range // share of CPU that collecting takes: measured, else by the samples
	measured   bool
	live       float64 // heap that survives a collection
	rss        float64 // peak resident set
	hoards     bool    // a line of code keeps a good part of the live heap without need
}

// little is the share of CPU under which nobody changes a program.
const little = 0.03

// much is the share of the live heap from which on a line that holds it is
// worth changing, however little CPU it takes.
const much = 0.25

// evidenceOf reads a diagnosis. Where there was too little CPU for a profile,
// nothing is known and everything is possible.
func evidenceOf(d *diagnose.Document) evidence {
	e := evidence{ceiling: diagnose.Range{High: 1}, collection: diagnose.Range{High: 1}}
	if d.CPU != nil {
		e.ceiling, e.collection = d.CPU.Ceiling, d.CPU.Collection
		if c := d.CPU.Measured; c != nil {
			e.collection, e.measured = diagnose.Range{Low: max(0, c.Low), High: max(0, c.High)}, true
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
		e.hoards = e.hoards || d.Findings[i].Memory.Low >= much && e.live >= heapMinimum
	}
	return e
}

// nothingToGain says whether no remedy for allocating can matter: the samples
// leave next to no room for one, and the run without collections proves nothing
// else. On a busy machine its interval is wide, which is no proof. A few samples
// of the 200 that a profile has are chance, hence the middle of the range.
func (e evidence) nothingToGain() bool {
	return e.ceiling.Middle() < little && e.ceiling.High < 2*little && (!e.measured || e.collection.Low < little) && !e.hoards
}

// control tells whether the runs without collections prove that little is to be
// gained.
func (e evidence) control() string {
	switch {
	case !e.measured:
		return "What collecting costs was not measured by runs without it"
	case e.collection.High < little:
		return "Runs without collections agree: they save " + shares(e.collection) + " of CPU"
	}
	return "Runs without collections neither prove nor refute it: they save " + shares(e.collection) + " of CPU"
}

// collectsTooLittle says whether no setting of the collector can matter.
func (e evidence) collectsTooLittle() bool { return e.collection.High < little }
