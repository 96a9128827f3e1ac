package evidence

import (
	"fmt"
	"path"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Kind is the subject of a profile.
type Kind string

// Kinds of profiles.
const (
	CPU       Kind = "CPU"
	Heap      Kind = "heap"       // live objects, and all allocations since the program started
	Allocs    Kind = "allocation" // allocations in a window of time
	Goroutine Kind = "goroutine"
	Leak      Kind = "goroutine leak"
	Wait      Kind = "mutex or block"
)

// kindOf returns a profile's kind by its columns. The file's name says nothing:
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
	name := termtext.Harmless(p.Name)
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
	case has("goroutineleak"):
		kind = Leak
		if p.Len() == 0 {
			return kind, nil // no goroutine has leaked
		}
	case has("contentions", "delay"):
		kind = Wait
	default:
		return "", fmt.Errorf("%s: no profile of a Go program: its samples are %s; give heap, allocs or CPU profiles",
			name, columns(p))
	}
	if p.Len() == 0 {
		return "", fmt.Errorf("%s: the %s profile has no samples; take it while the program works", name, kind)
	}
	// pprof profiles of other languages have the same columns.
	if !ofGo(p) {
		return "", fmt.Errorf("%s: the %s profile is not of a Go program: no function in it comes from Go source",
			name, kind)
	}
	if err := addsUp(p, kind); err != nil {
		return "", fmt.Errorf("%s: the %s profile %w", name, kind, err)
	}
	return kind, nil
}

// addsUp refuses profiles in which shares have no meaning: values below zero, as in the
// difference of two profiles, and sums that are zero or no longer a number. The live
// heap may be smaller after a window than before; waiting times are not used.
func addsUp(p *profile.Profile, kind Kind) error {
	for column, t := range p.SampleTypes {
		if kind == Wait || kind == Allocs && strings.HasPrefix(t.Type, "inuse_") {
			continue
		}
		sum := int64(0)
		for _, v := range p.Values[column] {
			if v < 0 {
				return fmt.Errorf("has %d in %.40q: it is a difference; give the profiles themselves", v, t.Type)
			}
			if sum += v; sum < 0 {
				return fmt.Errorf("is damaged: the sum of %.40q is larger than a number can be", t.Type)
			}
		}
		if sum == 0 && (t.Type == "cpu" || t.Type == "samples") {
			return fmt.Errorf("has nothing but zeros in %.40q; take it while the program works", t.Type)
		}
	}
	return nil
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

// ofGo reports whether any function comes from Go source. The runtime's need not
// be there: stacks of goroutines end at their first function, and a benchmark
// that only computes never enters the runtime.
func ofGo(p *profile.Profile) bool {
	for _, stack := range p.Stacks {
		for f := range p.Dict.Frames(stack) {
			if fn := p.Dict.Function(f.Function); strings.HasSuffix(fn.File, ".go") ||
				strings.HasPrefix(fn.Name, "runtime.") {
				return true
			}
		}
	}
	return false
}

// kindByName returns the kind that a file's name suggests, "" if none.
func kindByName(name string) Kind {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch {
	case strings.Contains(base, "cpu"):
		return CPU
	case strings.Contains(base, "heap"), strings.Contains(base, "mem"):
		return Heap
	case strings.Contains(base, "alloc"):
		return Allocs
	}
	return ""
}

// IsProfileName reports whether a file may be a profile, by the names that people and
// tools use.
func IsProfileName(name string) bool {
	name = strings.ToLower(name)
	for _, c := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, c)
	}
	switch path.Ext(name) {
	case ".pb", ".pprof", ".prof", ".out", ".profile":
		return true
	case "":
		return kindByName(name) != ""
	}
	return false
}
