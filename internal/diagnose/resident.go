package diagnose

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/resident"
)

// Resident divides the resident memory of the process into parts. They add up to the
// total, because unexplained memory is a part of its own. golang/go#79179 proposes such a
// profile for Go itself.
type Resident struct {
	Bytes float64        `json:"bytes"`
	Parts []ResidentPart `json:"parts"` // the largest first

	leaves []ResidentPart // the live heap by site
}

// ResidentPart is a part of the resident memory.
type ResidentPart struct {
	Path  []string `json:"path"` // root first: "Go", "live heap"
	Bytes float64  `json:"bytes"`

	stack []evidence.Frame // an allocation site's, leaf first
}

// residentOf divides the resident memory. It returns nil if that or the runtime's figures
// are not known, or if it is a peak, because the other figures are from another moment.
func residentOf(e *evidence.Evidence) *Resident {
	r := &e.Runtime
	if !r.RSS.OK || !r.Sys.OK || r.PeakRSS {
		return nil
	}
	// Where collect has read the mappings, the RSS of that moment fits them.
	all := &Resident{Bytes: r.RSS.Value}
	var last evidence.Resident
	if n := len(r.Resident); n > 0 {
		last = r.Resident[n-1]
		all.Bytes = last.Bytes
	}
	files, rest := all.files(&last), all.Bytes
	rest -= files
	// The runtime has pages that nobody touched: fresh spans, room for its tables, large
	// buffers that were not filled. They are no part of RSS, and missing in it.
	owned := goParts(e)
	sum := 0.0
	for _, p := range owned {
		sum += p.Bytes
	}
	missing := sum - rest
	for _, name := range []string{"idle spans", "runtime", "free space in used spans", "garbage"} {
		for i := range owned {
			if p := &owned[i]; missing > 0 && p.Path[1] == name {
				untouched := min(missing, p.Bytes)
				p.Bytes, missing, sum = p.Bytes-untouched, missing-untouched, sum-untouched
			}
		}
	}
	all.leaves = append(all.leaves, owned...)
	all.group(last.Group)
	// The remainder belongs to C or to mappings of the program. It is below 0 if the figures
	// were read at different times.
	switch outside := rest - sum; {
	case outside < 0:
		all.add(outside, "unexplained", "figures of different times")
	case last.Mappings == nil:
		all.add(outside, "outside Go", "the binary, C, mapped files")
	case usesC(last.Mappings):
		all.add(outside, "outside Go", "C and libraries")
	default: // without C, the program has mapped it, or the figures do not fit together
		all.add(outside, "unexplained", "neither Go's nor a file's")
	}
	all.leaves = slices.DeleteFunc(all.leaves, func(p ResidentPart) bool { return int64(p.Bytes) == 0 })
	all.sumUp()
	return all
}

func (r *Resident) add(bytes float64, path ...string) {
	r.leaves = append(r.leaves, ResidentPart{Path: path, Bytes: bytes})
}

// usesC reports whether a process has loaded a C library, or has C's heap.
func usesC(mappings []resident.Mapping) bool {
	return slices.ContainsFunc(mappings, func(m resident.Mapping) bool {
		name := filepath.Base(m.Name)
		return m.Kind == resident.CHeap && m.Bytes > 1<<20 || m.Kind == resident.File && (strings.HasPrefix(name, "libc.") || strings.HasPrefix(name, "libc-") || strings.HasPrefix(name, "ld-musl"))
	})
}

// mostlyOthers is the share of a cgroup's memory that may belong to other processes.
const mostlyOthers = 0.1

// group makes the memory of the process's cgroup the total, if hardly any other process
// is in it. The cgroup is also charged for the page cache of files that are not mapped,
// and for structures of the kernel.
func (r *Resident) group(u *cgroup.Usage) {
	if u == nil {
		return
	}
	others := float64(u.Bytes) - r.Bytes - float64(u.PageCache) - float64(u.Kernel)
	if others > mostlyOthers*float64(u.Bytes) || float64(u.Bytes) < r.Bytes {
		return
	}
	r.Bytes = float64(u.Bytes)
	r.add(float64(u.PageCache), "cgroup", "page cache")
	r.add(float64(u.Kernel), "cgroup", "kernel")
	r.add(others, "cgroup", "unexplained: other processes")
}

// files adds the mapped files and returns their sum.
func (r *Resident) files(at *evidence.Resident) (sum float64) {
	for _, m := range at.Mappings {
		if m.Kind == resident.File {
			r.add(float64(m.Bytes), "mapped files", filepath.Base(m.Name))
			sum += float64(m.Bytes)
		}
	}
	return sum
}

// goParts divides the memory that the runtime has and did not give back. The live heap
// is divided by allocation site. Those figures are scaled to its size, because a heap
// profile is only a sample.
func goParts(e *evidence.Evidence) (all []ResidentPart) {
	r := &e.Runtime
	live := e.Live.Value
	if r.Objects.OK {
		live = min(live, r.Objects.Value)
	}
	add := func(name string, k evidence.Known) {
		if k.OK && k.Value > 0 {
			all = append(all, ResidentPart{Path: []string{"Go", name}, Bytes: k.Value})
		}
	}
	if n := len(e.Heaps); n > 0 && live > 0 {
		all = append(all, liveParts(e, e.Heaps[n-1], live)...)
	} else {
		add("live heap", evidence.Known{Value: live, OK: e.Live.OK})
	}
	add("garbage", minus(r.Objects, evidence.Known{Value: live, OK: true}))
	add("free space in used spans", minus(r.InUse, r.Objects))
	add("idle spans", minus(r.Idle, r.Released))
	add("stacks", r.Stacks)
	add("runtime", r.Metadata)
	return all
}

func liveParts(e *evidence.Evidence, heap *profile.Profile, live float64) (all []ResidentPart) {
	column, ok := heap.Column("inuse_space")
	total := float64(heap.Total(column))
	if !ok || total <= 0 {
		return nil
	}
	for row, stack := range heap.Stacks {
		if v := heap.Values[column][row]; v > 0 {
			all = append(all, ResidentPart{Path: []string{"Go", "live heap"}, Bytes: float64(v) * live / total, stack: e.Frames(stack)})
		}
	}
	return all
}

// WriteProfile writes the resident memory as a profile for pprof. The root is all of it.
func (r *Resident) WriteProfile(w io.Writer) error {
	p := &pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "rss", Unit: "bytes"}},
		PeriodType: &pprof.ValueType{Type: "space", Unit: "bytes"},
		Period:     1,
	}
	functions, locations := map[string]*pprof.Function{}, map[evidence.Frame]*pprof.Location{}
	at := func(f evidence.Frame) *pprof.Location {
		if l := locations[f]; l != nil {
			return l
		}
		fn := functions[f.Function+"\x00"+f.File]
		if fn == nil {
			fn = &pprof.Function{ID: uint64(len(p.Function) + 1), Name: f.Function, SystemName: f.Function, Filename: f.File}
			functions[f.Function+"\x00"+f.File] = fn
			p.Function = append(p.Function, fn)
		}
		l := &pprof.Location{ID: uint64(len(p.Location) + 1), Line: []pprof.Line{{Function: fn, Line: int64(f.Line)}}}
		locations[f] = l
		p.Location = append(p.Location, l)
		return l
	}
	for _, part := range r.leaves {
		s := &pprof.Sample{Value: []int64{int64(part.Bytes)}}
		for _, f := range part.stack {
			s.Location = append(s.Location, at(f))
		}
		for _, name := range slices.Backward(append([]string{"resident memory"}, part.Path...)) {
			s.Location = append(s.Location, at(evidence.Frame{Function: name}))
		}
		p.Sample = append(p.Sample, s)
	}
	if err := p.CheckValid(); err != nil {
		return fmt.Errorf("the profile of resident memory: %w", err)
	}
	return p.Write(w)
}

// sumUp adds the leaves up to parts, without their allocation sites.
func (r *Resident) sumUp() {
	for _, p := range r.leaves {
		i := slices.IndexFunc(r.Parts, func(q ResidentPart) bool { return slices.Equal(p.Path, q.Path) })
		if i < 0 {
			r.Parts = append(r.Parts, ResidentPart{Path: p.Path})
			i = len(r.Parts) - 1
		}
		r.Parts[i].Bytes += p.Bytes
	}
	slices.SortStableFunc(r.Parts, func(a, b ResidentPart) int { return cmp.Compare(b.Bytes, a.Bytes) })
}
