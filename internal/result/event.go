package result

import (
	"time"

	"github.com/heapwright/heapwright/internal/verdict"
)

// Unit is what the progress of a phase counts, " MiB", where a number alone does not say it.
func (p Phase) Unit() string {
	if p == Read {
		return " MiB"
	}
	return ""
}

// Event is something that happens while an experiment runs.
type Event interface{ event() }

// Handler receives the events of one experiment, one at a time and in order.
type Handler interface{ Handle(Event) }

// Phase is a part of an experiment with its own progress.
type Phase string

const (
	Record    Phase = "record"    // a live service is recorded, for so many seconds
	Read      Phase = "read"      // a large file is read, of so many MiB
	Build     Phase = "build"     // cells are compiled and proven
	Calibrate Phase = "calibrate" // iteration counts are fixed on the baseline
	Probe     Phase = "probe"     // untimed runs for GC figures
	Measure   Phase = "measure"   // timed runs, in blocks
)

type (
	// Note is a remark for people: a warning, a decision taken.
	Note struct{ Text string }

	// Progress says how far a phase is. Total may grow when an interim analysis
	// decides to continue, and is zero where it is not known. ETA is zero where it is not known yet.
	Progress struct {
		Phase       Phase
		Done, Total int
		Doing       string // the step under way, "GOGC=400 · Tree/heap"
		ETA         time.Duration
	}

	// RunFailure reports a run that gave no sample; the others continue.
	RunFailure struct{ Failure }

	// Analysis reports an interim analysis of the effects so far.
	Analysis struct {
		Blocks  int
		Open    int // effects still inconclusive
		Effects []verdict.Effect
	}
)

func (Note) event()       {}
func (Progress) event()   {}
func (RunFailure) event() {}
func (Analysis) event()   {}
