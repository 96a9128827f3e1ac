package rules

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var stackMemory = &finding.Rule{
	Name:  "stack-memory",
	Title: "the stacks of goroutines take much memory",
	Doc: `Finds stacks that have 16 MiB and a quarter of the resident memory or more. Heap profiles do not show them. Where a
function on many of them has a large array as a local variable, that is the place: the stack doubles until the array
fits, and stays as large while the goroutine waits below it. It is wrong if the array is only filled while nobody waits.`,
	Remedy:  "Let the functions that wait need less stack.",
	Example: "buf := buffers.Get().(*[32 << 10]byte) // of a sync.Pool, once there is something to read\ndefer buffers.Put(buf)",
	Risk:    "A buffer must not be used after it was put back.",
	Find:    findStackMemory,
}

const (
	// largeStacks in bytes, and manyStacks as a share of the resident memory, are the sizes of all
	// stacks from which on they are a finding.
	largeStacks, manyStacks = 16 << 20, 0.25
	// deepStack in bytes is the mean size of a stack above which its depth is the cause, not the
	// number of goroutines.
	deepStack = 12 << 10
	// ofStacks is the share of the stacks that a variable must explain: the stack around it has up
	// to twice its size, and as much again until it shrinks.
	ofStacks = 0.2
)

func findStackMemory(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	stacks, goroutines := e.Runtime.Stacks.Value, e.Goroutines.Last
	resident := e.Runtime.RSS
	if !resident.OK {
		resident = e.Runtime.Sys
	}
	if !e.Runtime.Stacks.OK || !resident.OK || goroutines == 0 || stacks < max(largeStacks, manyStacks*resident.Value) {
		return nil
	}
	share := min(1, stacks/resident.Value)
	f := finding.Finding{
		Title:      fmt.Sprintf("the stacks of %.0f goroutines take %s", goroutines, format.Bytes(stacks)),
		Resident:   evidence.Range{High: share},
		Confidence: evidence.Medium,
		Exact:      true,
		Evidence: []finding.Figure{{Name: "stacks", Value: stacks, Unit: "bytes"}, {Name: "goroutines", Value: goroutines, Unit: "count"},
			{Name: "mean size", Value: stacks / goroutines, Unit: "bytes"}},
	}
	at, on, n := largestOnStacks(e)
	switch {
	case on.Size > 0 && n*float64(on.Size) > ofStacks*stacks:
		f.Resident.Low = min(share, n*float64(on.Size)/resident.Value) / 2
		f.Title += fmt.Sprintf(": %s of %s has %s", on.Text, profile.ShortName(at.Function), format.Bytes(float64(on.Size)))
		f.Remedy = fmt.Sprintf("%s is a local variable of type %s, so the stack of each of %.0f goroutines has grown to hold it, and "+
			"stays as large while they wait. Take it from a sync.Pool, or make it on the heap, only when there is something to put "+
			"into it, and give it back before the next wait; or make it smaller.", on.Text, on.Type, n)
		at.Line = on.Line
		moveTo(&f, e, at)
	case stacks/goroutines > deepStack:
		f.Remedy = "Calls are deep, or functions have large local variables, and a stack stays as large while its goroutine waits. " +
			"Let the wait stand outside of the calls that need much stack, use a loop instead of recursion, and take large " +
			"buffers from a sync.Pool when there is something to put into them."
		moveToMost(&f, e)
	default:
		f.Remedy = "Each goroutine has a stack of at least 2 KiB. Let fewer of them wait: some workers that take the work from a " +
			"channel, or one goroutine that looks after many connections or timers."
		f.Example = "jobs := make(chan job)\nfor range runtime.GOMAXPROCS(0) {\n\tgo worker(jobs)\n}"
		f.Risk, f.Confidence = "Workers bound how much is done at a time.", evidence.Low
		moveToMost(&f, e)
	}
	return []finding.Finding{f}
}

// largestOnStacks returns the local variable that takes most of the goroutines' stacks, a frame of
// its function, and the number of goroutines that have it.
func largestOnStacks(e *evidence.Evidence) (at evidence.Frame, most source.Allocation, n float64) {
	type place struct {
		file string
		line int
	}
	count := map[place]float64{}
	e.EachGoroutine(func(_ evidence.Reason, path []evidence.Frame, goroutines float64) {
		for _, f := range path {
			if !e.Owns(f) {
				continue
			}
			for _, a := range e.Source.Within(f.File, f.Line) {
				if a.Kind == source.Local && len(e.Source.Escapes(f.File, a.Line)) == 0 {
					p := place{f.File, a.Line}
					if count[p] += goroutines; count[p]*float64(a.Size) > n*float64(most.Size) {
						at, most, n = f, a, count[p]
					}
				}
			}
		}
	})
	return at, most, n
}

// moveToMost moves a finding to the line of the program where most goroutines wait.
func moveToMost(f *finding.Finding, e *evidence.Evidence) {
	count, most := map[evidence.Frame]float64{}, evidence.Frame{}
	e.EachGoroutine(func(_ evidence.Reason, path []evidence.Frame, goroutines float64) {
		if i := slices.IndexFunc(path, e.Owns); i >= 0 {
			if count[path[i]] += goroutines; count[path[i]] > count[most] {
				most = path[i]
			}
		}
	})
	if most.Line > 0 {
		moveTo(f, e, most)
	}
}
