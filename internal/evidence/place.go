package evidence

import (
	"slices"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

// place finds the site of every stack in heap and CPU profiles.
func (b *builder) place() {
	index := map[line]int32{}
	all := slices.Clone(b.allocs)
	if n := len(b.heaps); n > 0 {
		all = slices.Insert(all, 0, b.heaps[n-1])
	}
	if b.cpu != nil {
		all = append(all, b.cpu)
	}
	for _, p := range append(all, b.heaps...) {
		for _, stack := range p.Stacks {
			if p := &b.places[stack]; !p.visited {
				b.placeStack(stack, p, index)
			}
		}
	}
}

func (b *builder) placeStack(stack profile.StackID, p *place, index map[line]int32) {
	p.visited = true
	var at profile.Frame // innermost own frame, or until one is found, the innermost outside the runtime
	own := false
	for f := range b.dict.Frames(stack) {
		of := b.owners.of(f.Function)
		if of != owner.Runtime && at.Function == 0 {
			at = f
		}
		if of == owner.Program {
			at, own = f, true
			break
		}
		name := b.dict.FunctionName(f.Function)
		if writesProfiles(name) {
			*p = place{visited: true}
			return
		}
		p.copies = p.copies || formatters[name]
		if at.Function == 0 {
			p.copies = p.copies || copies[name]
			p.idle = p.idle || name == "runtime.gcDrainMarkWorkerIdle"
		}
		p.forces = p.forces || name == "runtime.GC" || name == giveBack
	}
	if at.Function == 0 {
		return
	}
	key := b.line(at)
	if index[key] == 0 {
		b.sites = append(b.sites, Site{key: key, Own: own, Frame: b.frame(at)})
		index[key] = int32(len(b.sites))
	}
	p.site = index[key]
	s := &b.sites[p.site-1]
	s.Stacks = append(s.Stacks, stack)
}

// copies are the runtime's functions that allocate in order to copy: without the
// allocation there is nothing to copy (slice.go, string.go, iface.go).
var copies = map[string]bool{
	"runtime.growslice": true, "runtime.growsliceNoAlloc": true, "runtime.growsliceBuf": true,
	"runtime.makeslicecopy": true, "runtime.slicebytetostring": true, "runtime.stringtoslicebyte": true,
	"runtime.stringtoslicerune": true, "runtime.slicerunetostring": true, "runtime.concatstrings": true,
	"runtime.concatbytes": true, "runtime.concatstring2": true, "runtime.concatstring3": true,
	"runtime.concatstring4": true, "runtime.concatstring5": true, "runtime.convT": true, "runtime.convTnoptr": true,
	"runtime.convTstring": true, "runtime.convTslice": true, "runtime.rawbyteslice": true,
	// Growing a map moves its entries (internal/runtime/maps; map.go up to 1.23).
	"internal/runtime/maps.(*Map).growToSmall": true, "internal/runtime/maps.(*Map).growToTable": true,
	"internal/runtime/maps.(*table).grow": true, "internal/runtime/maps.(*table).split": true,
	"internal/runtime/maps.(*table).rehash": true, "runtime.hashGrow": true, "runtime.growWork": true,
	"runtime.growWork_fast32": true, "runtime.growWork_fast64": true, "runtime.growWork_faststr": true,
}

// formatters return a new string to their caller. A caller that does without the
// string does without the formatting as well.
var formatters = map[string]bool{"fmt.Sprint": true, "fmt.Sprintf": true, "fmt.Sprintln": true, "fmt.Errorf": true}
