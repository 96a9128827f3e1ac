package gctune

import (
	"io/fs"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// live is the process that this code runs in.
type live struct {
	began   time.Time
	samples []metrics.Sample
	clock   cpuClock
	kernel  *kernel
	memory  memory
	readAt  time.Duration

	settings []metrics.Sample // GOGC and the memory limit
	gogc     int              // the last one seen or set
	limit    int64
}

// memoryEvery is the shortest time between two readings of the kernel's files,
// which cost more than the runtime's figures: memory.stat sums over all CPUs.
const memoryEvery = 100 * time.Millisecond

// quietFor is the longest time without a full observation. A quiet process costs
// little.
const quietFor = 30 * time.Second

// The order is the order of the constants below.
var metricNames = [...]string{
	"/gc/cycles/total:gc-cycles",
	"/gc/heap/live:bytes",
	"/gc/scan/stack:bytes",
	"/gc/scan/globals:bytes",
	"/memory/classes/heap/objects:bytes",
	"/memory/classes/heap/free:bytes",
	"/memory/classes/total:bytes",
	"/memory/classes/heap/released:bytes",
	"/gc/heap/allocs:bytes",
	"/sched/gomaxprocs:threads",
	"/gc/gogc:percent",
	"/gc/gomemlimit:bytes",
	"/cpu/classes/gc/total:cpu-seconds",
	"/cpu/classes/idle:cpu-seconds",
	"/cpu/classes/total:cpu-seconds",
}

const (
	mCycles = iota
	mLive
	mStacks
	mGlobals
	mObjects
	mFree
	mTotal
	mReleased
	mAllocs
	mProcs
	mGOGC
	mLimit
	mGCCPU
	mIdleCPU
	mTotalCPU
)

func newLive(root fs.FS, limit int64) *live {
	l := &live{began: time.Now(), kernel: newKernel(root, limit), readAt: -memoryEvery}
	for _, name := range metricNames {
		l.samples = append(l.samples, metrics.Sample{Name: name})
	}
	l.settings = []metrics.Sample{{Name: metricNames[mGOGC]}, {Name: metricNames[mLimit]}}
	return l
}

// quiet reports that nothing worth a full observation has changed since the last
// one, provided that no cycle has ended: it reads two metrics, which the runtime
// keeps ready, and two small files.
func (l *live) quiet() bool {
	metrics.Read(l.settings)
	same := int(int32(l.settings[0].Value.Uint64())) == l.gogc && int64(l.settings[1].Value.Uint64()) == l.limit
	return same && time.Since(l.began)-l.readAt < quietFor && l.kernel.quiet()
}

func (l *live) observe(o *observation) {
	metrics.Read(l.samples)
	n := func(i int) uint64 { return l.samples[i].Value.Uint64() }
	seconds := func(i int) float64 { return l.samples[i].Value.Float64() }
	*o = observation{
		now:     time.Since(l.began),
		cycles:  n(mCycles),
		heap:    heap{live: n(mLive), stacks: n(mStacks), globals: n(mGlobals)},
		objects: n(mObjects),
		free:    n(mFree),
		mapped:  n(mTotal) - min(n(mTotal), n(mReleased)),
		allocs:  n(mAllocs),
		procs:   int(n(mProcs)),
		gogc:    int(int32(n(mGOGC))), // off is -1, widened
		limit:   int64(n(mLimit)),
		gcCPU:   seconds(mGCCPU), idleCPU: seconds(mIdleCPU), totalCPU: seconds(mTotalCPU),
		cpu: l.clock.seconds(),
	}
	if o.now-l.readAt >= memoryEvery {
		l.kernel.read(&l.memory, o.mapped)
		l.readAt = o.now
	} else {
		l.memory.fresh = false
	}
	o.memory = l.memory
	l.gogc, l.limit = o.gogc, o.limit
}

func (l *live) set(gogc int, limit int64) (int, int64) {
	l.gogc, l.limit = gogc, limit
	return debug.SetGCPercent(gogc), debug.SetMemoryLimit(limit)
}

func (l *live) close() { l.kernel.close() }
