package diagnose

import (
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// Evidence is all that rules may look at. All profiles share one dictionary.
type Evidence struct {
	Dict       *profile.Dict
	CPU        *profile.Profile   // all CPU profiles in one; nil: none
	Heaps      []*profile.Profile // in time order, columns as in the file; those after a restart
	Goroutines []*profile.Profile // in time order
	Runtime    Runtime
	Source     *source.Index // nil: none
	Sites      []Site        // the highest ceiling first
	Costs      Costs
	Notes      []string // doubts about the evidence
	Window     Known    // seconds that Site.Recent covers

	weights []Weight // by StackID
	pool    pool
	causes  []cause     // of all sites; see explain
	live    [][]float64 // bytes by heap profile and StackID; see liveSeries
}

// Known is a figure that may be unknown.
type Known struct {
	Value float64
	OK    bool
}

// Runtime is what the runtime and the system say of the process; bytes unless
// named otherwise.
type Runtime struct {
	Seconds               Known // that the process ran, up to its heap profile
	Cycles                Known // collections in Seconds
	Live, Goal            Known // after the last collection
	Stacks                Known
	Objects               Known // live and not yet swept: HeapAlloc
	InUse, Idle, Released Known // spans: HeapInuse, HeapIdle, HeapReleased of runtime.MemStats
	Metadata              Known // the runtime's own: spans, bit maps, profiling
	Sys                   Known // all that was got from the system, what was given back included
	RSS                   Known // resident; PeakRSS says that it is the peak
	PeakRSS               bool
	Memory                Known // that the process may have: the machine's, or its container's
	CollectorCPU          Known // share of the process's CPU time, idle workers left out
}

// Costs is where CPU time goes, as shares of all samples; all zero without a
// CPU profile.
type Costs struct {
	Classes    []float64 // by cost.Class
	Malloc     float64   // allocating: small, large, zeroing
	Collection float64   // marking, assists, sweeping, write barriers
	Idle       float64   // part of Collection: marking on processors that had nothing else to do
	Ceiling    Range     // what allocating nothing at all would save
	Samples    float64   // that the shares rest on
	Seconds    float64   // of CPU time
}
