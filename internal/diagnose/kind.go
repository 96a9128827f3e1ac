package diagnose

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

// Kind is what a profile is of.
type Kind string

// Kinds of profiles.
const (
	CPU       Kind = "CPU"
	Heap      Kind = "heap"       // what is live, and all that was allocated since the program started
	Allocs    Kind = "allocation" // what was allocated in a window of time
	Goroutine Kind = "goroutine"
	Wait      Kind = "mutex or block"
)

// kindOf tells a profile's kind by its columns. The file's name says nothing:
// people rename files. A heap profile over a time (?seconds=30) has differences
// in all of its columns, so that nothing in it is live memory.
func kindOf(p *profile.Profile) (Kind, error) {
	has := func(types ...string) bool {
		for _, t := range types {
			if _, ok := p.Column(t); !ok {
				return false
			}
		}
		return true
	}
	var kind Kind
	switch {
	case has("alloc_objects", "alloc_space", "inuse_objects", "inuse_space"):
		kind = Heap
		if p.DurationNanos > 0 {
			kind = Allocs
		}
	case has("cpu"):
		kind = CPU
	case has("goroutine"):
		kind = Goroutine
	case has("contentions", "delay"):
		kind = Wait
	default:
		return "", fmt.Errorf("%s: no profile of a Go program: its samples are %s; give heap, allocs or CPU profiles", p.Name, columns(p))
	}
	if p.Len() == 0 {
		return "", fmt.Errorf("%s: the %s profile has no samples; take it while the program works", p.Name, kind)
	}
	if !ofGo(p) {
		return "", fmt.Errorf("%s: the %s profile is not of a Go program: no function in it comes from Go source", p.Name, kind)
	}
	return kind, nil
}

func columns(p *profile.Profile) string {
	if len(p.SampleTypes) == 0 {
		return "of no type"
	}
	var names []string
	for _, t := range p.SampleTypes {
		names = append(names, fmt.Sprintf("%.40q", t.Type))
	}
	return strings.Join(names[:min(len(names), 6)], ", ")
}

// ofGo says whether any function comes from Go source. The runtime's need not
// be there: stacks of goroutines end at their first function, and a benchmark
// that only computes never enters the runtime.
func ofGo(p *profile.Profile) bool {
	for _, stack := range p.Stacks {
		for f := range p.Dict.Frames(stack) {
			if fn := p.Dict.Function(f.Function); strings.HasSuffix(fn.File, ".go") || strings.HasPrefix(fn.Name, "runtime.") {
				return true
			}
		}
	}
	return false
}
