package gctune

import "time"

// observation is all that a decision rests on. Sizes are in bytes, CPU in
// seconds since the process began.
type observation struct {
	now    time.Duration // monotonic
	cycles uint64        // completed collections
	heap   heap

	objects uint64 // heap objects, dead ones that are not swept included
	free    uint64 // heap memory that is neither in use nor released
	mapped  uint64 // all that the runtime has mapped and not released
	allocs  uint64 // allocated since the process began

	gcCPU, idleCPU, totalCPU float64 // the runtime's count: wall time of its processors
	cpu                      float64 // what the system has given to the process; 0 where unknown
	procs                    int

	gogc  int   // the settings in force
	limit int64 //

	memory memory
}

// nonHeap is the runtime's memory that cannot hold heap objects
// (mgcpacer.go, memoryLimitHeapGoal, term 1).
func (o *observation) nonHeap() uint64 {
	return o.mapped - min(o.mapped, saturatingAdd(o.free, o.objects))
}

// process is the process that is tuned: the live one, or a model in tests.
type process interface {
	observe(*observation)
	// quiet reports that an observation would find nothing new, apart from the
	// end of a cycle.
	quiet() bool
	// set changes GOGC and the memory limit and returns the old ones.
	set(gogc int, limit int64) (oldGOGC int, oldLimit int64)
}
