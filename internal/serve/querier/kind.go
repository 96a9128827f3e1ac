package querier

import (
	"slices"
	"strings"

	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/store"
)

// names are Pyroscope's names for the kinds of the store; other kinds have one name.
var names = map[string]string{
	store.CPU: "process_cpu", store.Heap: "memory", store.HeapDelta: "memory", store.Goroutine: "goroutine",
}

// kinds is the inverse of names, with the other name that Pyroscope has for goroutines.
var kinds = map[string]string{
	"process_cpu": store.CPU, "memory": store.Heap, "goroutine": store.Goroutine, "goroutines": store.Goroutine,
}

// periods are the types and units of the event that each sample stands for.
var periods = map[string][2]string{
	store.CPU: {"cpu", "nanoseconds"}, store.Heap: {"space", "bytes"}, store.HeapDelta: {"space", "bytes"},
	store.Allocs: {"space", "bytes"}, store.Goroutine: {"goroutine", "count"},
	"mutex": {"contentions", "count"}, "block": {"contentions", "count"},
}

// unitOf returns the unit of a sample type, which the index of the store does not have.
func unitOf(sampleType string) string {
	switch {
	case strings.HasSuffix(sampleType, "_space"), strings.HasSuffix(sampleType, "_bytes"):
		return "bytes"
	case sampleType == "cpu", sampleType == "delay", sampleType == "wall":
		return "nanoseconds"
	}
	return "count"
}

// profileType is a column of a kind of profile.
type profileType struct{ kind, column string }

// parseType reads "name:type:unit:period type:period unit", of which name and type
// determine the rest here.
func parseType(id string) (profileType, error) {
	parts := strings.Split(id, ":")
	if len(parts) < 2 || parts[0] == "" || parts[1] == "" {
		return profileType{}, bad("profile type %.60q: write it as name:type:unit:period type:period unit", id)
	}
	kind, ok := kinds[parts[0]]
	if !ok {
		kind = parts[0]
	}
	return profileType{kind, parts[1]}, nil
}

// message returns the profile type as Pyroscope writes it.
func (p profileType) message() *pb.ProfileType {
	name, ok := names[p.kind]
	if !ok {
		name = p.kind
	}
	period := periods[p.kind]
	m := &pb.ProfileType{Name: name, SampleType: p.column, SampleUnit: unitOf(p.column),
		PeriodType: period[0], PeriodUnit: period[1]}
	m.ID = strings.Join([]string{m.Name, m.SampleType, m.SampleUnit, m.PeriodType, m.PeriodUnit}, ":")
	return m
}

// isState reports whether the column is a state, such as the live heap, of which several
// snapshots of a process must not be added up.
func (p profileType) isState() bool {
	return p.kind == store.Goroutine || p.kind == store.Heap && !p.grows()
}

// grows reports whether snapshots count the column from the start of the process.
func (p profileType) grows() bool {
	return p.kind == store.Heap && slices.Contains([]string{"alloc_space", "alloc_objects"}, p.column)
}
