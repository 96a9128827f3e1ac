package diagnose

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// Gather turns profiles into evidence. x and rt may be nil and zero: then
// nothing is known of the source and of the process.
func Gather(s *Profiles, x *source.Index, rt Runtime) (*Evidence, error) {
	if err := s.order(); err != nil {
		return nil, err
	}
	e := &Evidence{Dict: s.Dict, Heaps: s.Heaps, Goroutines: s.Goroutines, Source: x, Runtime: rt}
	if len(s.CPU) == 1 {
		e.CPU = s.CPU[0]
	} else if len(s.CPU) > 1 {
		m := profile.NewMerger(profile.Options{Dict: s.Dict})
		for _, p := range s.CPU {
			if err := m.Add(p); err != nil {
				return nil, err
			}
		}
		var err error
		if e.CPU, err = m.Profile(); err != nil {
			return nil, err
		}
	}
	e.lastProcess()
	g := newGatherer(e)
	g.addMemory(s)
	g.addCPU()
	g.addGrowth()
	g.finish()
	if len(e.Sites) > 0 && !slices.Contains(g.owners.known, inProgram) {
		g.note("no function is known to be of the program's own code, so no line of it is found: what go install built of module@version "+
			"looks like a library; check that version out and %s", giveSource)
	}
	return e, nil
}

func (e *Evidence) note(format string, args ...any) {
	e.Notes = append(e.Notes, fmt.Sprintf(format, args...))
}

// gatherer sums up by stack and site. A site is found once for each stack.
type gatherer struct {
	*Evidence
	owners *owners
	places []place // by StackID
	index  map[line]int32
	sites  []siteSums
}

// line is what sites are told apart by.
type line struct {
	function profile.FunctionID
	line     int64
}

// place is where a stack leaves the program's own code.
type place struct {
	asked bool
	site  int32 // in sites, from 1; 0: no frame outside the runtime
	grows bool  // through a function whose work is gone with what it allocates
	idle  bool  // marking on a processor that had nothing else to do

	toll
}

// siteSums is a site while it is summed up.
type siteSums struct {
	Site
	key line
}

func newGatherer(e *Evidence) *gatherer {
	stacks, _, _, _ := e.Dict.Sizes()
	e.weights = make([]Weight, stacks)
	return &gatherer{Evidence: e, owners: newOwners(e.Dict, e.Source), places: make([]place, stacks), index: map[line]int32{}}
}

// at returns the place of a stack.
func (g *gatherer) at(stack profile.StackID) place {
	p := &g.places[stack]
	if !p.asked {
		*p = g.find(stack)
		if p.site > 0 {
			s := &g.sites[p.site-1]
			s.stacks = append(s.stacks, stack)
		}
	}
	return *p
}

func (g *gatherer) find(stack profile.StackID) place {
	p := place{asked: true}
	var outside profile.Frame // innermost outside the runtime
	for f := range g.Dict.Frames(stack) {
		l := g.owners.of(f.Function)
		if l != inRuntime && outside.Function == 0 {
			outside = f
		}
		if l == inProgram {
			outside = f
			break
		}
		name := g.Dict.FunctionName(f.Function)
		if profiles(name) {
			return p
		}
		p.grows = p.grows || formatters[name]
		if outside.Function == 0 {
			p.grows = p.grows || copies[name]
			p.idle = p.idle || name == "runtime.gcDrainMarkWorkerIdle"
		}
	}
	if outside.Function == 0 {
		return p
	}
	key := line{outside.Function, outside.Line.Line}
	i, ok := g.index[key]
	if !ok {
		fn := g.Dict.Function(outside.Function)
		g.sites = append(g.sites, siteSums{key: key, Site: Site{Frame: Frame{Function: fn.Name, File: fn.File, Line: int(outside.Line.Line)},
			own: g.owners.of(outside.Function) == inProgram}})
		i = int32(len(g.sites))
		g.index[key] = i
	}
	p.site = i
	return p
}

// copies are the runtime's functions that allocate in order to copy: what they
// copy goes with what they allocate (slice.go, string.go, iface.go).
var copies = map[string]bool{
	"runtime.growslice": true, "runtime.growsliceNoAlloc": true, "runtime.growsliceBuf": true, "runtime.makeslicecopy": true,
	"runtime.slicebytetostring": true, "runtime.stringtoslicebyte": true, "runtime.stringtoslicerune": true,
	"runtime.slicerunetostring": true, "runtime.concatstrings": true, "runtime.concatbytes": true, "runtime.concatstring2": true,
	"runtime.concatstring3": true, "runtime.concatstring4": true, "runtime.concatstring5": true, "runtime.convT": true,
	"runtime.convTnoptr": true, "runtime.convTstring": true, "runtime.convTslice": true, "runtime.rawbyteslice": true,
	// Growing a map moves its entries (internal/runtime/maps; map.go up to 1.23).
	"internal/runtime/maps.(*Map).growToSmall": true, "internal/runtime/maps.(*Map).growToTable": true,
	"internal/runtime/maps.(*table).grow": true, "internal/runtime/maps.(*table).split": true,
	"internal/runtime/maps.(*table).rehash": true, "runtime.hashGrow": true, "runtime.growWork": true,
	"runtime.growWork_fast32": true, "runtime.growWork_fast64": true, "runtime.growWork_faststr": true,
}

// formatters are the functions that make a new text for their caller. A caller
// that does without the text does without the formatting as well.
var formatters = map[string]bool{"fmt.Sprint": true, "fmt.Sprintf": true, "fmt.Sprintln": true, "fmt.Errorf": true}

// addCPU sorts every CPU sample: work for a site's allocations, or the pool.
func (g *gatherer) addCPU() {
	if g.CPU == nil {
		return
	}
	count, ok := g.CPU.Column("samples")
	ns, _ := g.CPU.Column("cpu")
	g.Costs.Seconds = float64(g.CPU.Total(ns)) / 1e9
	if !ok {
		count = ns
	}
	g.pool.samples = float64(g.CPU.Total(count))
	g.Costs.Samples = g.pool.samples
	if g.pool.samples == 0 {
		return
	}
	g.Costs.Classes = make([]float64, len(cost.Classes()))
	classes := cost.NewClassifier(g.Dict)
	for row, stack := range g.CPU.Stacks {
		n := float64(g.CPU.Values[count][row])
		class, at := classes.Class(stack), g.at(stack)
		share := n / g.pool.samples
		g.weights[stack].CPU += share
		g.Costs.Classes[class] += share
		switch {
		case class == cost.WriteBarrier, at.site == 0 && class.Collection(), class == cost.Mark:
			g.pool.collection += n
			if at.idle {
				g.pool.idle += n
			}
		case at.site == 0:
			if class == cost.OtherRuntime {
				g.pool.scheduling += n
			}
		case class.Malloc(), class.Collection(), class == cost.PageFaults, class == cost.Scavenge:
			g.places[stack].direct += n
		case at.grows:
			g.places[stack].copied += n
		}
	}
}
