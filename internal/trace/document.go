package trace

// Schema is the version of Document. It changes when a field changes its meaning
// or goes; a new field does not change it.
const Schema = "heapwright.trace/1"

// Document is the timeline of the collector in one trace. Times are in
// nanoseconds; points in time count from the beginning of the trace. All texts
// are harmless to show.
type Document struct {
	Schema   string   `json:"schema"`
	Tool     string   `json:"tool"`               // version of heapwright
	Source   string   `json:"source"`             // file or URL, as named
	Format   string   `json:"format"`             // the trace's format: "go 1.26"
	Began    string   `json:"began,omitempty"`    // RFC 3339; traces before Go 1.25 do not say
	Bytes    int64    `json:"bytes"`              // the size of the trace
	Events   int64    `json:"events"`             // number of events
	Duration int64    `json:"duration_ns"`        // the time that it covers
	Procs    int      `json:"procs"`              // GOMAXPROCS at its end
	Warnings []string `json:"warnings,omitempty"` // doubts

	// CPU is the time that processors spent, by Class. The rest of Duration times
	// Procs they were idle or in system calls.
	CPU map[Class]int64 `json:"cpu_ns"`

	Cycles  []Cycle  `json:"cycles"`
	Pauses  []Pause  `json:"pauses"`
	Assists Assists  `json:"assists"`
	Lines   []Line   `json:"lines"`      // lines that pay, the most expensive first
	Waiters []Waiter `json:"goroutines"` // groups by first function; the one that lost most comes first
	Bursts  Tail     `json:"bursts"`
	Delays  Tail     `json:"delays"`
	// Joined are bursts of one goroutine, joined where it waits for something shared. Their
	// lengths include these waits.
	Joined Tail   `json:"joined_bursts"`
	Stops  []Stop `json:"stops"`
	Waits  []Wait `json:"waits"`
	Ready  Ready  `json:"ready"`
	// Stuck are the lines at which goroutines wait for a lock or a pool when the trace ends.
	// Such waits are in no burst.
	Stuck    []Stuck  `json:"stuck"`
	Timeline Timeline `json:"timeline"`
}

// Cycle is one collection. Its figures are of the time while it ran.
type Cycle struct {
	Start      int64 `json:"start_ns"`
	Duration   int64 `json:"duration_ns"`       // between the stop that begins it and the end of marking
	Partial    bool  `json:"partial,omitempty"` // it ran when the trace began or ended
	SweepTerm  int64 `json:"sweep_termination_ns"`
	MarkTerm   int64 `json:"mark_termination_ns"`
	Dedicated  int64 `json:"dedicated_ns"` // processor time of mark workers
	Fractional int64 `json:"fractional_ns"`
	Idle       int64 `json:"idle_ns"`
	Assist     int64 `json:"assist_ns"`
	Assists    int64 `json:"assists"`
	HeapStart  int64 `json:"heap_start_bytes"`
	HeapEnd    int64 `json:"heap_end_bytes"`
	HeapGoal   int64 `json:"heap_goal_bytes"`
	// Forced is the line that asked for the collection; nil where the runtime began it.
	Forced *Place `json:"forced_at,omitempty"`
}

// Pause is one stop of the world.
type Pause struct {
	Start    int64  `json:"start_ns"`
	Duration int64  `json:"duration_ns"`
	Reason   string `json:"reason"`
	GC       bool   `json:"gc"` // the collector's
	// At is the line that stops the world; nil for the collector and the tracer.
	At *Place `json:"at,omitempty"`
}

// Stop is a line that stops the world, other than the collector and the tracer.
type Stop struct {
	Place
	// Via is the library's function that the line calls.
	Via     string `json:"via,omitempty"`
	Reason  string `json:"reason"`
	Count   int64  `json:"count"`
	Time    int64  `json:"time_ns"`
	Longest int64  `json:"longest_ns"`
	// Turns is the time in which goroutines at this line waited for their turn: only one
	// goroutine can stop the world at a time.
	Turns int64 `json:"turns_ns"`
	// InTail is the loss of joined bursts of the tail at p99.
	InTail int64 `json:"in_tail_ns"`
}

// Ready is the time in which goroutines could run and had no processor, apart from the parts
// of the collector and of others that stop the world.
type Ready struct {
	Time int64 `json:"time_ns"`
	// InTail is the loss of joined bursts of the tail at p99.
	InTail int64 `json:"in_tail_ns"`
	// Runners are the lines that ran meanwhile. The one that ran most comes first.
	Runners []Runner `json:"runners"`
}

// Runner is a line that ran while other goroutines had no processor.
type Runner struct {
	Place
	// Via is the library's function that the line calls.
	Via  string `json:"via,omitempty"`
	Time int64  `json:"time_ns"` // up to where it left the processor
}

// Wait is a line that waits until another line releases something shared.
type Wait struct {
	Kind WaitKind `json:"kind"`
	// At is the line that waits, and Via is the library's function that it calls.
	At  Place  `json:"at"`
	Via string `json:"via,omitempty"`
	// By is the line that ends the wait: it unlocks, returns a connection, or sends or
	// receives.
	By      Place  `json:"by"`
	ByVia   string `json:"by_via,omitempty"`
	Count   int64  `json:"count"`
	Time    int64  `json:"time_ns"`
	Longest int64  `json:"longest_ns"`
	// InTail is the part in joined bursts of the tail at p99.
	InTail int64 `json:"in_tail_ns"`
	// Away is the time that the goroutine that ended the wait spent off the processor
	// during it, the longest first.
	Away []Away `json:"away,omitempty"`
}

// Stuck are goroutines at one line that still wait for something shared when the trace ends.
type Stuck struct {
	Kind       WaitKind `json:"kind"`
	At         Place    `json:"at"`
	Via        string   `json:"via,omitempty"`
	Goroutines int64    `json:"goroutines"`
	// Longest is the longest wait so far. A wait that began before the trace counts from
	// the beginning of the trace.
	Longest int64 `json:"longest_ns"`
}

// Away is a line at which a goroutine leaves the processor.
type Away struct {
	Place
	Via   string `json:"via,omitempty"`
	Doing string `json:"doing"` // the reason to wait, or "system call"
	Time  int64  `json:"time_ns"`
}

// Assists sums the mark assists up.
type Assists struct {
	Count   int64 `json:"count"`
	Running int64 `json:"running_ns"` // time of processors
	Elapsed int64 `json:"elapsed_ns"` // time between begin and end, including waits
	Longest int64 `json:"longest_ns"` // elapsed
}

// Place is a line of source.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// Line is a line that allocates and does the collector's work for it.
type Line struct {
	Place          // the innermost outside the runtime
	Own     *Place `json:"own,omitempty"` // the innermost outside the standard library, if that is another
	Assists int64  `json:"assists"`
	Assist  int64  `json:"assist_ns"` // elapsed, with waits
	Longest int64  `json:"longest_ns"`
	Sweep   int64  `json:"sweep_ns"`
	InTail  int64  `json:"in_tail_ns"` // Assist and Sweep in bursts of the tail at p99
}

// Waiter are the goroutines that began in one function.
type Waiter struct {
	Function   string `json:"function"`
	Goroutines int64  `json:"goroutines"` // goroutines that the collector delayed at least once
	Parts      `json:"parts_ns"`
	Longest    int64 `json:"longest_ns"` // the collector's part of one burst
}

// Parts is the time that goroutines lost to the collector, by cause; see the package
// comment.
type Parts struct {
	Assist int64 `json:"assist"`
	Sweep  int64 `json:"sweep"`
	Wait   int64 `json:"wait"`
	Queue  int64 `json:"queue"`
	Pause  int64 `json:"pause"`
}

// Sum is the collector's part.
func (p Parts) Sum() int64 { return p.Assist + p.Sweep + p.Wait + p.Queue + p.Pause }

func (p *Parts) add(q Parts) {
	p.Assist += q.Assist
	p.Sweep += q.Sweep
	p.Wait += q.Wait
	p.Queue += q.Queue
	p.Pause += q.Pause
}

// Tail is a distribution of lengths with the collector's part of its tails.
type Tail struct {
	Count     int64      `json:"count"`
	Total     int64      `json:"total_ns"`
	Parts     Parts      `json:"parts_ns"` // sums over all lengths
	Quantiles []Quantile `json:"quantiles,omitempty"`
}

// At returns the quantile q, the zero Quantile if there are no lengths.
func (t *Tail) At(q float64) Quantile {
	for _, at := range t.Quantiles {
		if at.Q == q {
			return at
		}
	}
	return Quantile{}
}

// Quantile is one quantile of a distribution and the tail from there on. Lengths
// are exact to 1.6%, the width of a histogram's bucket.
type Quantile struct {
	Q       float64 `json:"q"`
	Length  int64   `json:"length_ns"`
	Without int64   `json:"without_ns"` // the quantile without the collector's parts
	Count   int64   `json:"count"`      // lengths in the tail
	Total   int64   `json:"total_ns"`   // their sum
	Parts   Parts   `json:"parts_ns"`   // the collector's parts of them
}

// Share is the collector's share of the tail, from 0 to 1.
func (q Quantile) Share() float64 {
	if q.Total == 0 {
		return 0
	}
	return float64(q.Parts.Sum()) / float64(q.Total)
}

// Timeline has the data of the picture: sums over steps of equal length, and the
// longest events exactly.
type Timeline struct {
	Step     int64             `json:"step_ns"`
	CPU      map[Class][]int64 `json:"cpu_ns"`      // time of processors in each step
	Runnable []int64           `json:"runnable_ns"` // time of goroutines that could not run
	Heap     []int64           `json:"heap_bytes"`  // the most in each step; 0 is not known
	Goal     []int64           `json:"heap_goal_bytes"`
	Assists  []Span            `json:"longest_assists"`
	Bursts   []Span            `json:"longest_bursts"`
}

// Span is one event of a goroutine.
type Span struct {
	Start     int64  `json:"start_ns"`
	Duration  int64  `json:"duration_ns"`
	Goroutine int64  `json:"goroutine"`
	Name      string `json:"name"` // a line, or the goroutine's first function
	Collector int64  `json:"collector_ns"`
}
