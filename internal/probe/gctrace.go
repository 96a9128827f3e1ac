package probe

import (
	"bytes"
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/heapwright/heapwright/internal/process"
)

// Cycle is one line of GODEBUG=gctrace=1 (gcMarkTermination in
// runtime/mgc.go). Times have three significant digits; CPU times are wall
// times of processors, which overestimate where the system takes these away.
type Cycle struct {
	Number int
	At     time.Duration // when it began, counted from the start of the program

	// The phases on the clock. The world stands in the first and the last.
	SweepTerm, Mark, MarkTerm time.Duration

	// CPU time. The runtime counts a pause for all processors; Background is the time
	// of dedicated and fractional workers together, Idle the time of workers on processors
	// that had nothing else to do.
	SweepTermCPU, Assist, Background, Idle, MarkTermCPU time.Duration

	// Bytes, cut off to whole MiB.
	HeapStart, HeapEnd, Live, Goal int64

	Procs  int
	Forced bool // runtime.GC asked for it
}

// CPU is the CPU time that the cycle could not do without: all but idle
// marking, as the runtime/metrics documentation advises for
// /cpu/classes/gc/mark/idle.
func (c Cycle) CPU() time.Duration {
	return c.SweepTermCPU + c.Assist + c.Background + c.MarkTermCPU
}

// Trace holds the collections of a run with GODEBUG=gctrace=1. The last
// may be missing: the runtime starts the world before it writes the line, and
// the program may end first.
type Trace struct {
	Cycles []Cycle
	// Lost counts the cycles whose lines could not be read, because the
	// program wrote into them: the runtime writes a line in many pieces.
	Lost int
	// Mixed says that the numbers of the cycles went back: another process
	// with the same environment wrote to the same stream, and the figures include
	// it.
	Mixed bool
}

// Count returns how many cycles there were; forced ones only if asked for.
// Lost ones count as not forced.
func (t Trace) Count(forced bool) int {
	n := t.Lost
	for _, c := range t.Cycles {
		if forced || !c.Forced {
			n++
		}
	}
	return n
}

// CPU returns the sums of Cycle.CPU and of the assists among it.
func (t Trace) CPU() (total, assist time.Duration) {
	for _, c := range t.Cycles {
		total += c.CPU()
		assist += c.Assist
	}
	return total, assist
}

// Pause returns the q-quantile (nearest rank) of the pauses, of which every
// cycle has two; false if there was none.
func (t Trace) Pause(q float64) (time.Duration, bool) {
	var pauses []time.Duration
	for _, c := range t.Cycles {
		pauses = append(pauses, c.SweepTerm, c.MarkTerm)
	}
	return rank(pauses, q)
}

// Live returns the median of the live heaps, in bytes; false if there was no
// cycle.
func (t Trace) Live() (int64, bool) {
	return rank(collect(t.Cycles, func(c Cycle) int64 { return c.Live }), 0.5)
}

// Goal returns the median of the heap goals, in bytes; false if there was no
// cycle.
func (t Trace) Goal() (int64, bool) {
	return rank(collect(t.Cycles, func(c Cycle) int64 { return c.Goal }), 0.5)
}

func collect[T any](cycles []Cycle, f func(Cycle) T) []T {
	values := make([]T, len(cycles))
	for i, c := range cycles {
		values[i] = f(c)
	}
	return values
}

// rank returns the q-quantile by the nearest-rank definition: the smallest
// value that at least the share q of the values does not exceed.
func rank[T cmp.Ordered](values []T, q float64) (v T, ok bool) {
	if len(values) == 0 {
		return v, false
	}
	slices.Sort(values)
	return values[min(max(int(math.Ceil(q*float64(len(values)))), 1), len(values))-1], true
}

// Tracer collects a Trace from a standard error that is written to it. It is
// not safe for concurrent use.
type Tracer struct {
	trace Trace
	lines process.Lines
	last  int // number of the last cycle
}

// Write takes more of the stream; it never fails.
func (t *Tracer) Write(p []byte) (int, error) {
	t.lines.Each = t.line
	return t.lines.Write(p)
}

// Trace returns the collections read so far.
func (t *Tracer) Trace() Trace {
	t.lines.Each = t.line
	t.lines.Flush()
	return t.trace
}

func (t *Tracer) line(line []byte) {
	c, ok := parseCycle(line)
	if !ok {
		return
	}
	if c.Number <= t.last {
		t.trace.Mixed = true
	} else {
		t.trace.Lost += c.Number - t.last - 1
	}
	t.last = c.Number
	t.trace.Cycles = append(t.trace.Cycles, c)
}

// cycleLine matches the line of go1.18 to go1.27. It may begin within a line, because
// the program may have written text without a newline before it. The remark before
// the colon is "(checking for goroutine leaks)", from go1.26 on.
var cycleLine = regexp.MustCompile(`gc (\d+) @([\d.]+)s \d+%(?: \([a-z ]+\))?: ` +
	`([\d.]+)\+([\d.]+)\+([\d.]+) ms clock, ` +
	`([\d.]+)\+([\d.]+)/([\d.]+)/([\d.]+)\+([\d.]+) ms cpu, ` +
	`(\d+)->(\d+)->(\d+) MB, (\d+) MB goal, ` +
	`\d+ MB stacks, \d+ MB globals, (\d+) P( \(forced\))?`)

func parseCycle(line []byte) (Cycle, bool) {
	if !bytes.Contains(line, []byte(" ms clock, ")) { // spare the rest the regexp
		return Cycle{}, false
	}
	m := cycleLine.FindSubmatch(line)
	if m == nil {
		return Cycle{}, false
	}
	ok := true
	number := func(i int, unit, most float64) float64 {
		v, err := strconv.ParseFloat(string(m[i]), 64)
		v = math.Round(v * unit)
		ok = ok && err == nil && v <= most
		return v
	}
	const most = 1 << 58 // nine years, 256 PiB: the sum of a cycle does not overflow
	span := func(i int, unit time.Duration) time.Duration {
		return time.Duration(number(i, float64(unit), most))
	}
	ms := func(i int) time.Duration { return span(i, time.Millisecond) }
	mb := func(i int) int64 { return int64(number(i, 1<<20, most)) }
	c := Cycle{
		Number:    int(number(1, 1, 1<<31-1)),
		At:        span(2, time.Second),
		SweepTerm: ms(3), Mark: ms(4), MarkTerm: ms(5),
		SweepTermCPU: ms(6), Assist: ms(7), Background: ms(8), Idle: ms(9), MarkTermCPU: ms(10),
		HeapStart: mb(11), HeapEnd: mb(12), Live: mb(13), Goal: mb(14),
		Procs:  int(number(15, 1, 1<<31-1)),
		Forced: m[16] != nil,
	}
	return c, ok
}
