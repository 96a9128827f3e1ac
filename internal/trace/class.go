package trace

// Class says for whom a processor works.
type Class string

// Classes, in the order in which views show them.
const (
	Own        Class = "own"        // the program's work
	Assist     Class = "assist"     // marking on behalf of an allocation
	Dedicated  Class = "dedicated"  // a mark worker with a processor of its own
	Fractional Class = "fractional" // a mark worker for the rest of a quarter of the processors
	Idle       Class = "idle"       // a mark worker where nothing else was to run
	Sweep      Class = "sweep"      // sweeping, before an allocation or in the background
	Paused     Class = "pause"      // stopped by the collector
	Stopped    Class = "stopped"    // stopped for another reason, such as a profile
)

// Classes lists all of them.
var Classes = [...]Class{Own, Assist, Dedicated, Fractional, Idle, Sweep, Paused, Stopped}

// kind is a Class as an index of Classes; none is a processor that does nothing.
type kind int8

const (
	none kind = iota - 1
	own
	assist
	dedicated
	fractional
	idle
	sweep
	paused
	stopped
	kinds
)

// collects reports whether a processor works for the collector. In a pause it does
// too, and is counted apart.
func (k kind) collects() bool { return k >= assist && k <= sweep }

// workers are the labels that the runtime gives its mark workers.
var workers = map[string]kind{"GC (dedicated)": dedicated, "GC (fractional)": fractional, "GC (idle)": idle}
