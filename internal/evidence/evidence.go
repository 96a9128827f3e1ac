package evidence

import (
	"fmt"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/release"
	"github.com/heapwright/heapwright/internal/resident"
	"github.com/heapwright/heapwright/internal/source"
)

// Evidence is all that rules may look at.
type Evidence struct {
	CPU         *profile.Profile   // all CPU profiles merged; nil without one
	Heaps       []*profile.Profile // profiles taken after the last restart, in time order
	Ended       bool               // the program did its work and ended: its live objects were in use
	Runtime     Runtime
	Source      *source.Index // nil if no source is at hand
	Flow        *flow.Program // the flow of Source; nil without source
	Sites       []Site        // highest ceiling first
	Costs       Costs
	Collections Collections
	// Stale is the age in seconds, at least, of the heap that the last heap profile shows,
	// where no or one collection ran while the heap profiles were taken.
	Stale      Known
	HeapGrowth *Growth        // the whole heap, by its exact sizes or the sum of all sites; nil where unknown
	Live       Known          // live heap in bytes: as the runtime reports it, else as the last heap profile does
	Window     Known          // seconds that Site.Recent covers
	Rate       Known          // bytes allocated per second of the window
	Waiting    []WaitingPlace // places where many goroutines are blocked, the most first
	Queues     []WaitingPlace // places where as many wait for a lock all the time, the most first
	Goroutines GoroutineCount
	Notes      []string  // doubts about the evidence
	Until      time.Time // when the rules' analysis of the source must end; zero is never

	releases  sync.Once
	release   *release.Program
	dict      *profile.Dict
	origins   []profile.FunctionID // FunctionID → see origins
	weights   []Weight             // StackID → its weight
	charges   []charge             // StackID → its charge
	model     model
	last      *profile.Profile // the last profile of goroutines; nil without one
	allocated float64          // bytes, all sites together
}

// Known is a figure that may be unknown.
type Known struct {
	Value float64
	OK    bool
}

// Runtime holds the figures that the runtime and the operating system report of
// the process. Sizes are in bytes.
type Runtime struct {
	Seconds               Known // the process's age at its heap profile
	Cycles                Known // collections in Seconds
	Live, Goal            Known // the last collection found and set them
	Stacks                Known
	Objects               Known // live and not yet swept: HeapAlloc
	InUse, Idle, Released Known // spans: HeapInuse, HeapIdle, HeapReleased of runtime.MemStats
	Metadata              Known // the runtime's own: spans, bit maps, profiling
	Sys                   Known // obtained from the system, including memory given back since
	RSS                   Known // resident set size; the peak if PeakRSS is set
	PeakRSS               bool
	Resident              []Resident // the start of the observation, times within it and its end, as far as known
	Memory                Known      // limit of the machine or of the container
	CollectorCPU          Known      // share of the process's CPU time, idle workers excluded
	Limit, Percent        Known      // GOMEMLIMIT in bytes and GOGC, where the process publishes them
	Recent                Counts     // collections while the profiles were taken, those for the profiles left out
	Collected             time.Time  // when the last collection ended; zero is unknown
	Fresh                 bool       // each heap profile was taken after a collection
	Heaps                 []LiveHeap // sizes right after collections that were asked for, as far as known
}

// LiveHeap is the exact size of the live heap at a time, in bytes.
type LiveHeap struct {
	Taken time.Time
	Bytes float64
}

// Resident is the resident memory at a time, in bytes.
type Resident struct {
	Taken    time.Time
	Bytes    float64
	Go       Known              // part that the runtime has and did not give back, at most; at the ends
	Written  Known              // part in mappings of no file; within the observation
	Mappings []resident.Mapping // nil for a service of another machine
	Group    *cgroup.Usage      // the memory cgroup that the process is in; nil where it has none of its own
}

// Outside returns the memory that is not Go's, nor of mapped files where these are
// known; at least 0. It is false if the runtime's part is not known.
func (r *Resident) Outside() (bytes float64, ok bool) {
	bytes = r.Bytes - r.Go.Value
	for _, m := range r.Mappings {
		if m.Kind == resident.File {
			bytes -= float64(m.Bytes)
		}
	}
	return max(0, bytes), r.Go.OK
}

// Costs is where CPU time goes, as shares of all samples; all zero without a
// CPU profile.
type Costs struct {
	Classes    []float64 // cost.Class → its share
	Malloc     float64   // allocating: small, large, zeroing
	Collection float64   // marking, assists, sweeping, write barriers
	Idle       float64   // part of Collection: marking on otherwise idle processors
	Ceiling    Range     // saved by allocating nothing at all
	Collecting Range     // saved by a run without collections
	Samples    float64   // number of CPU samples
	Work       []Work    // the runtime's, beside managing memory, the largest first
	Seconds    float64   // CPU time sampled
}

// MinSaving is the share of CPU time or of the live heap below which a site is
// not looked into: half a percent is less than a comparison can prove.
const MinSaving = 0.005

// GiveSource is the remedy where source is missing, for the end of a note.
const GiveSource = "run in the program's module or name its folder with -C"

// Releases returns what the source shows of locks, bodies, channels and other things
// that are to be released; nil without source.
func (e *Evidence) Releases() *release.Program {
	e.releases.Do(func() { e.release = release.New(e.Flow) })
	return e.release
}

func (e *Evidence) note(format string, args ...any) {
	e.Notes = append(e.Notes, fmt.Sprintf(format, args...))
}

// Share returns a part of all bytes allocated.
func (e *Evidence) Share(a Amount) float64 { return a.Bytes / max(e.allocated, 1) }

// Size returns the measure by which allocations are compared: their CPU time, or
// without a CPU profile their bytes.
func (e *Evidence) Size(w Weight) float64 {
	if e.CPU == nil {
		return w.Alloc.Bytes
	}
	return w.Saves.High
}

// Of returns the weight of one stack. The same path has one number in
// heap profiles and another in CPU profiles, because heap profiles leave out the
// runtime's frames and have other addresses.
func (e *Evidence) Of(stack profile.StackID) Weight { return e.weights[stack] }

// Frames returns a stack's frames, the leaf first.
func (e *Evidence) Frames(stack profile.StackID) []Frame {
	var all []Frame
	for f := range e.dict.Frames(stack) {
		all = append(all, e.frame(f))
	}
	return all
}

func (e *Evidence) frame(f profile.Frame) Frame {
	fn := e.dict.Function(e.origins[f.Function])
	return Frame{fn.Name, fn.File, int(f.Line.Line)}
}

// Owns reports whether a frame is of the program's own code.
func (e *Evidence) Owns(f Frame) bool { return ownerOf(e.Source, f.Function, f.File) == owner.Program }

// CombinedCeiling returns the ceiling of a remedy for all sites for which match is
// true. It is lower than the sum of their own ceilings where sampling error is the
// larger part of each. The remedy avoids the given share of their bytes and all of
// their copying, as a map of the right size does in place of one that grows.
func (e *Evidence) CombinedCeiling(share float64, match func(*Site) bool) Range {
	var all charge
	for i := range e.Sites {
		if s := &e.Sites[i]; match(s) {
			all.add(s.charge)
		}
	}
	all.allocating, all.collecting = all.allocating*share, all.collecting*share
	all.recent, all.live = all.recent*share, all.live*share
	return e.model.ceiling(all)
}
