// Package weight finds the costs of source lines in profiles.
//
// The stance: a profile may be of another build than the source. So lines are found
// by function and distance from its first line, as in profile-guided optimization,
// and functions that are gone are a note, not a wrong cost.
package weight

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Profiles holds the costs of a program's lines, read from its profiles.
type Profiles struct {
	notes  []string
	dict   *profile.Dict
	totals [measures]float64
	sample [measures]float64 // the cost that one sample stands for
	lines  map[profiledLine]*[measures]float64
	starts map[string]int // first line of the functions, by symbol
}

// profiledLine is a line of a function as the profiles know it.
type profiledLine struct {
	function profile.FunctionID
	line     int
}

// measure is a kind of cost.
type measure int

const (
	cpu measure = iota
	allocatedBytes
	allocations
	liveBytes
	measures
)

var measureNames = [measures]string{"CPU", "allocated bytes", "allocations", "live bytes"}

// Read reads profiles of one program. CPU profiles are added up; of heap
// profiles, which count from the start of the program, the newest is used.
func Read(files []string, opts profile.Options) (*Profiles, error) {
	set := evidence.NewProfilesWith(opts)
	for _, file := range files {
		if err := set.AddFile(file); err != nil {
			return nil, err
		}
	}
	p := &Profiles{notes: set.Notes, dict: set.Dict, lines: map[profiledLine]*[measures]float64{},
		starts: map[string]int{}}
	for _, one := range set.CPU {
		p.add(one, "cpu", cpu)
	}
	for _, one := range set.Allocs {
		p.add(one, "alloc_space", allocatedBytes)
		p.add(one, "alloc_objects", allocations)
	}
	var newest *profile.Profile
	for _, one := range set.Heaps {
		if newest == nil || one.TimeNanos > newest.TimeNanos {
			newest = one
		}
	}
	if newest != nil {
		p.add(newest, "alloc_space", allocatedBytes)
		p.add(newest, "alloc_objects", allocations)
		p.add(newest, "inuse_space", liveBytes)
	}
	for _, src := range set.Sources {
		switch src.Kind {
		case evidence.Goroutine, evidence.Leak:
			p.notes = append(p.notes, fmt.Sprintf("%s: a %s profile has no costs of lines; it is not used",
				termtext.Harmless(src.Name), src.Kind))
		}
	}
	if len(p.lines) == 0 {
		return nil, fmt.Errorf("the profiles have no costs of lines; give CPU, heap or allocs profiles")
	}
	for _, m := range []measure{cpu, allocatedBytes} {
		if least := minSamples * p.sample[m] / p.totals[m]; least > minShare { // NaN without such a profile
			p.notes = append(p.notes, fmt.Sprintf("the profiles have few samples of %s: lines with less than %s of it are not reported; profile for longer",
				measureNames[m], format.RoughShare(min(least, 1))))
		}
	}
	return p, nil
}

// add credits each sample to the line that pays for it: the innermost one outside
// the standard library. A line that calls other code of the program does not pay
// for that code. The lines of the standard library below it are credited too, so
// that they can be checked in their turn.
func (p *Profiles) add(from *profile.Profile, column string, to measure) {
	at, ok := from.Column(column)
	if !ok {
		return
	}
	if from.SampleTypes[at].Unit == from.PeriodType.Unit {
		p.sample[to] = max(p.sample[to], float64(from.Period))
	}
	for i, value := range from.Values[at] {
		if value <= 0 { // a difference of two snapshots
			continue
		}
		p.totals[to] += float64(value)
		var credited []profiledLine
		for f := range p.dict.Frames(from.Stacks[i]) {
			if line := (profiledLine{f.Function, int(f.Line.Line)}); f.Function != 0 &&
				!slices.Contains(credited, line) {
				credited = append(credited, line)
			}
			if f.Function != 0 && !owner.OfStandard(profile.PackageOf(p.dict.FunctionName(f.Function))) {
				break
			}
		}
		for _, line := range credited {
			if p.lines[line] == nil {
				p.lines[line] = new([measures]float64)
				f := p.dict.Function(line.function)
				pkg, name := profile.PackageOf(f.Name), source.NameInPackage(f.Name)
				p.starts[pkg+"."+name] = int(f.StartLine)
			}
			p.lines[line][to] += float64(value)
		}
	}
}

// shares returns the costs as shares of the totals.
func (p *Profiles) shares(costs [measures]float64) [measures]float64 {
	for m := range costs {
		if p.totals[m] > 0 {
			costs[m] /= p.totals[m]
		}
	}
	return costs
}

// sure reports whether enough samples show a cost.
func (p *Profiles) sure(m measure, costs [measures]float64) bool {
	if m == allocations {
		m = allocatedBytes // objects are sampled by their bytes
	}
	return costs[m] >= minSamples*p.sample[m]
}
