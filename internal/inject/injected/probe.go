// Package injected is the source that inject.Source adds to a target by go
// build -overlay, under the name of the target's own package. Nothing imports
// it; it is a package so that the usual tools check it.
//
// It must compile wherever the target does, so it keeps to the language of Go
// 1.10 and the library of Go 1.20, and to names that nobody else has: an import
// shares the target's file scope, everything else its package scope.
//
// It does nothing unless HEAPWRIGHT_PROBE names a file. Then it writes the figures of
// runtime/metrics to the file after every collection and every 20 ms, since Go has
// no hook at exit. Only events after the last write are lost. It starts no goroutine
// that stays, so that a target that looks for leaks finds none.
package injected

import (
	heapwrightBytes "bytes"
	heapwrightOS "os"
	heapwrightRuntime "runtime"
	heapwrightMetrics "runtime/metrics"
	heapwrightStrconv "strconv"
	heapwrightStrings "strings"
	heapwrightSync "sync"
	heapwrightTime "time"
)

const (
	heapwrightProbeTick = 20 * heapwrightTime.Millisecond
	// A target that collects more often than this does not spend its time in
	// writing; the next tick catches up.
	heapwrightProbeRest = heapwrightTime.Millisecond
	heapwrightProbeSlot = 64 << 10 // bytes of each of the two places in the file
	heapwrightProbeKept = 512      // collections whose live heap and goal are kept
)

// heapwrightProbeState is the state of a running probe, nil of an inactive one.
type heapwrightProbeState struct {
	lock    heapwrightSync.Mutex
	file    *heapwrightOS.File
	status  *heapwrightOS.File // /proc/self/status, or nil
	head    []byte             // the lines that do not change
	samples []heapwrightMetrics.Sample
	text    []byte // these three are reused, so that the probe makes no garbage
	slot    []byte
	proc    [4096]byte
	number  uint64 // how often it has written
	written heapwrightTime.Time
	ended   bool
	cycles  uint64 // collections so far
	seen    int64  // those that were noticed, each with its live heap and goal
	live    [heapwrightProbeKept]uint64
	goal    [heapwrightProbeKept]uint64
	cpuAtGC float64 // process CPU seconds after the last collection
}

var heapwrightProbe *heapwrightProbeState

// heapwrightProbeTold add lines to each write.
var heapwrightProbeTold []func([]byte) []byte

// heapwrightProbeTells lets other added files add lines to each write.
// They call it where they initialize their variables, before init.
//
//lint:ignore U1000 the callers are not here but in the target
func heapwrightProbeTells(add func([]byte) []byte) bool {
	heapwrightProbeTold = append(heapwrightProbeTold, add)
	return true
}

// heapwrightProbeSentinel is garbage that every collection finds. It has a pointer, so
// that the tiny allocator does not put it beside other values.
type heapwrightProbeSentinel struct{ pointer *heapwrightProbeState }

// init starts the probe before the target's main, which must not be changed.
func init() {
	name := heapwrightOS.Getenv("HEAPWRIGHT_PROBE")
	if name == "" {
		return
	}
	// A child of the target must not write to the same file.
	heapwrightOS.Unsetenv("HEAPWRIGHT_PROBE")
	file, err := heapwrightOS.OpenFile(name, heapwrightOS.O_WRONLY|heapwrightOS.O_CREATE|heapwrightOS.O_TRUNC, 0666)
	if err != nil {
		heapwrightOS.Stderr.WriteString("heapwright probe: " + err.Error() + "\n")
		return
	}
	p := &heapwrightProbeState{file: file}
	p.status, _ = heapwrightOS.Open("/proc/self/status")
	p.describe()
	p.choose()
	heapwrightProbe = p
	p.write(false)
	heapwrightRuntime.SetFinalizer(&heapwrightProbeSentinel{p}, heapwrightProbeCollected)
	heapwrightTime.AfterFunc(heapwrightProbeTick, heapwrightProbeTicked)
}

// heapwrightProbeEnd writes for the last time.
func heapwrightProbeEnd() {
	if heapwrightProbe != nil {
		heapwrightProbe.write(true)
	}
}

func heapwrightProbeTicked() {
	heapwrightProbe.write(false)
	heapwrightTime.AfterFunc(heapwrightProbeTick, heapwrightProbeTicked)
}

func heapwrightProbeCollected(s *heapwrightProbeSentinel) {
	s.pointer.collected()
	heapwrightRuntime.SetFinalizer(s, heapwrightProbeCollected)
}

// describe writes the lines that do not change: the version, and the variables of the
// environment that begin with GO or that HEAPWRIGHT_PROBE_ENV names.
func (p *heapwrightProbeState) describe() {
	p.head = append(p.head, "go "+heapwrightRuntime.Version()+"\n"...)
	named := "," + heapwrightOS.Getenv("HEAPWRIGHT_PROBE_ENV") + ","
	for _, variable := range heapwrightOS.Environ() {
		key := variable[:heapwrightStrings.Index(variable+"=", "=")]
		if heapwrightStrings.HasPrefix(key, "GO") || heapwrightStrings.Contains(named, ","+key+",") && key != "" {
			p.head = append(p.head, "env "...)
			p.head = heapwrightStrconv.AppendQuote(p.head, variable)
			p.head = append(p.head, '\n')
		}
	}
	p.head = heapwrightProbeSettings(p.head)
}

// choose lists the metrics to read: all numbers about memory, and the pauses.
// look reads the first three.
func (p *heapwrightProbeState) choose() {
	p.samples = append(p.samples,
		heapwrightMetrics.Sample{Name: "/gc/cycles/total:gc-cycles"},
		heapwrightMetrics.Sample{Name: "/gc/heap/goal:bytes"},
		heapwrightMetrics.Sample{Name: "/gc/heap/live:bytes"}) // Go 1.21 and newer
	for _, d := range heapwrightMetrics.All() {
		histogram := d.Kind == heapwrightMetrics.KindFloat64Histogram
		if d.Name == "/sched/pauses/total/gc:seconds" || d.Name == "/gc/pauses:seconds" ||
			!histogram && (heapwrightStrings.HasPrefix(d.Name, "/gc/") ||
				heapwrightStrings.HasPrefix(d.Name, "/cpu/classes/") ||
				heapwrightStrings.HasPrefix(d.Name, "/memory/classes/") ||
				d.Name == "/sched/gomaxprocs:threads") {
			p.samples = append(p.samples, heapwrightMetrics.Sample{Name: d.Name})
		}
	}
}

func (p *heapwrightProbeState) collected() {
	p.lock.Lock()
	p.look()
	rested := heapwrightTime.Since(p.written) >= heapwrightProbeRest
	p.lock.Unlock()
	if rested {
		p.write(false)
	}
}

// look takes down the heap if there was a collection since it looked last.
func (p *heapwrightProbeState) look() {
	heapwrightMetrics.Read(p.samples[:3])
	cycles, goal, live := p.samples[0].Value, p.samples[1].Value, p.samples[2].Value
	if cycles.Uint64() == p.cycles {
		return
	}
	p.cycles = cycles.Uint64()
	p.cpuAtGC = heapwrightProbeCPU()
	p.goal[p.seen%heapwrightProbeKept] = goal.Uint64()
	if live.Kind() == heapwrightMetrics.KindUint64 {
		p.live[p.seen%heapwrightProbeKept] = live.Uint64()
	}
	p.seen++
}

// write writes everything to the place that does not hold the last write, so
// that one is whole whenever the process ends.
func (p *heapwrightProbeState) write(final bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.ended {
		return
	}
	p.ended = final
	p.look()
	// The buffer is used again, so that the probe does not allocate while the target runs.
	b := append(p.text[:0], p.head...)
	b = heapwrightProbeFloat(b, "cpu ", heapwrightProbeCPU())
	b = heapwrightProbeFloat(b, "cpu-at-gc ", p.cpuAtGC)
	heapwrightMetrics.Read(p.samples)
	for _, s := range p.samples[3:] {
		switch s.Value.Kind() {
		case heapwrightMetrics.KindUint64:
			b = append(append(b, "uint "...), s.Name...)
			b = append(heapwrightStrconv.AppendUint(append(b, ' '), s.Value.Uint64(), 10), '\n')
		case heapwrightMetrics.KindFloat64:
			b = heapwrightProbeFloat(append(append(b, "float "...), s.Name...), " ", s.Value.Float64())
		case heapwrightMetrics.KindFloat64Histogram:
			b = append(append(b, "histogram "...), s.Name...)
			h := s.Value.Float64Histogram()
			for i, n := range h.Counts {
				if n > 0 {
					b = heapwrightStrconv.AppendFloat(append(b, ' '), h.Buckets[i], 'g', -1, 64)
					b = heapwrightStrconv.AppendFloat(append(b, ':'), h.Buckets[i+1], 'g', -1, 64)
					b = heapwrightStrconv.AppendUint(append(b, ':'), n, 10)
				}
			}
			b = append(b, '\n')
		}
	}
	b = p.kept(append(b, "goal"...), &p.goal)
	if p.samples[2].Value.Kind() == heapwrightMetrics.KindUint64 {
		b = p.kept(append(b, "live"...), &p.live)
	}
	b = p.peak(b)
	for _, add := range heapwrightProbeTold {
		b = add(b)
	}
	if final {
		b = append(b, "final\n"...)
	}
	p.text = b
	p.put(b)
	p.written = heapwrightTime.Now()
}

func (p *heapwrightProbeState) kept(b []byte, values *[heapwrightProbeKept]uint64) []byte {
	for i := int64(0); i < p.seen && i < heapwrightProbeKept; i++ {
		b = heapwrightStrconv.AppendUint(append(b, ' '), values[i], 10)
	}
	return append(b, '\n')
}

// peak adds the line of /proc/self/status that holds the peak RSS.
func (p *heapwrightProbeState) peak(b []byte) []byte {
	if p.status == nil {
		return b
	}
	n, _ := p.status.ReadAt(p.proc[:], 0)
	status := p.proc[:n]
	if i := heapwrightBytes.Index(status, []byte("VmHWM:")); i >= 0 {
		status = status[i:]
		b = append(b, status[:heapwrightBytes.IndexByte(status, '\n')+1]...)
	}
	return b
}

// put writes the text with a line before it: which write this is, how long the
// text is and its checksum (FNV-1a).
func (p *heapwrightProbeState) put(text []byte) {
	sum := uint64(14695981039346656037)
	for _, c := range text {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	p.number++
	slot := append(p.slot[:0], "heapwright-probe 1 "...)
	slot = append(heapwrightStrconv.AppendUint(slot, p.number, 10), ' ')
	slot = append(heapwrightStrconv.AppendInt(slot, int64(len(text)), 10), ' ')
	slot = append(heapwrightStrconv.AppendUint(slot, sum, 16), '\n')
	slot = append(slot, text...)
	p.slot = slot
	if len(slot) <= heapwrightProbeSlot {
		p.file.WriteAt(slot, int64(p.number%2*heapwrightProbeSlot))
	}
}

func heapwrightProbeFloat(b []byte, key string, v float64) []byte {
	b = heapwrightStrconv.AppendFloat(append(b, key...), v, 'g', -1, 64)
	return append(b, '\n')
}
