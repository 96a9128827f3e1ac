package rules

import (
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var pointerHeap = &finding.Rule{
	Name:  "pointer-heap",
	Live:  true,
	Title: "the collector marks a large heap of small objects again and again",
	Doc: `Finds a large live heap of many small objects that stay, beside other code that allocates enough to keep the
collector busy: by live objects and the CPU time of marking. Marking visits every live object and every pointer in it.
It is wrong if the objects hold no pointers already.`,
	Remedy: "Keep the objects in one slice and refer to them by index instead of by pointer; keep text in one []byte with offsets; " +
		"memory without pointers is not scanned. A larger GOGC marks it less often.",
	Example: `type node struct {
	left, right int32 // indices into nodes; 0 is none
	key         uint64
}
var nodes []node`,
	Risk: "Objects of a slice are freed all at once or need a free list; a pointer into it dies when append moves it.",
	Find: findPointerHeaps,
}

const (
	// bigHeap is the size in bytes below which a mark phase takes only a few milliseconds.
	bigHeap = 16 << 20
	// smallObject is the mean size in bytes up to which a heap consists of many small objects.
	smallObject = 256
	// busyMarking is the smallest share of CPU time at which marking matters.
	busyMarking = 0.03
)

func findPointerHeaps(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	var live evidence.Amount
	for i := range e.Sites {
		live.Bytes += e.Sites[i].Live.Bytes
		live.Objects += e.Sites[i].Live.Objects
	}
	marking := e.Costs.Collection * (1 - e.Collections.Excess()) // the rest has another cause
	if live.Bytes < bigHeap || marking < busyMarking {
		return nil
	}
	growing := grown(e)
	var all []finding.Finding
	for i := range e.Sites {
		s := &e.Sites[i]
		if growing[s] || s.Live.Objects == 0 || s.Live.Bytes < bigHeap/4 || s.Live.Bytes/s.Live.Objects > smallObject || s.Live.Objects < live.Objects/4 || s.Surviving() < 0.5 {
			continue
		}
		share := evidence.Clamp(s.Live.Objects / live.Objects)
		f := finding.FindingAt(e, s)
		f.CPU = evidence.Range{Low: marking * share * 0.3, High: evidence.Clamp(marking * share)}
		f.Memory = evidence.Range{High: s.Memory.High / 3} // a pointer is 8 bytes, an index 4; and headers and rounding go
		f.Confidence = evidence.Medium
		f.Title = format.Count(s.Live.Objects) + " small objects are marked in every collection"
		f.Evidence = []finding.Figure{{Name: "live objects", Value: s.Live.Objects, Unit: "count"}, {Name: "live", Value: s.Live.Bytes, Unit: "bytes"},
			{Name: "mean size", Value: s.Live.Bytes / s.Live.Objects, Unit: "bytes"}, {Name: "CPU time collecting", Value: marking, Unit: "fraction"}}
		all = append(all, f)
	}
	return all
}
