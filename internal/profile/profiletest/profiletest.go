// Package profiletest makes small profiles for tests, frame by frame.
package profiletest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// Frames that many stacks share: the program's start, the allocator, and a worker
// of the collector. Main begins and Malloc
// ends with the space that joins it to other frames.
const (
	Main   = " main.main@/src/app/main.go:9 runtime.main@/go/src/runtime/proc.go:1"
	Malloc = "runtime.mallocgc@/go/src/runtime/malloc.go:1 "
	Worker = "runtime.scanobject@/go/src/runtime/mgcmark.go:1 runtime.gcDrain@/go/src/runtime/mgcmark.go:2 runtime.gcBgMarkWorker@/go/src/runtime/mgc.go:3"
)

// Profile is a profile under construction. Its stacks are written as frames
// "function@file:line", the leaf first, with spaces between them.
type Profile struct {
	gpprof.Profile
	functions map[string]*gpprof.Function
	locations map[string]*gpprof.Location
}

// New returns an empty profile with columns such as "cpu/nanoseconds".
func New(columns ...string) *Profile {
	m := &Profile{functions: map[string]*gpprof.Function{}, locations: map[string]*gpprof.Location{}}
	for _, c := range columns {
		name, unit, _ := strings.Cut(c, "/")
		m.SampleType = append(m.SampleType, &gpprof.ValueType{Type: name, Unit: unit})
	}
	return m
}

// NewCPU returns an empty CPU profile with a sample every 10 ms.
func NewCPU() *Profile {
	m := New("samples/count", "cpu/nanoseconds")
	m.PeriodType, m.Period = &gpprof.ValueType{Type: "cpu", Unit: "nanoseconds"}, 10_000_000
	return m
}

// NewHeap returns an empty heap snapshot, taken so many seconds after the first.
func NewHeap(at int64) *Profile {
	m := New("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes")
	m.PeriodType, m.Period = &gpprof.ValueType{Type: "space", Unit: "bytes"}, 512<<10
	m.TimeNanos = (1_700_000_000 + at) * 1e9
	return m
}

// CPU adds n samples of CPU time.
func (m *Profile) CPU(n int64, stack string) *Profile { return m.Add(stack, n, n*10_000_000) }

// Heap adds objects of 64 bytes, of which some are alive.
func (m *Profile) Heap(allocated, alive int64, stack string) *Profile {
	return m.Add(stack, allocated, 64*allocated, alive, 64*alive)
}

// Add adds a stack with a value for each column.
func (m *Profile) Add(stack string, values ...int64) *Profile {
	s := &gpprof.Sample{Value: values}
	for frame := range strings.FieldsSeq(stack) {
		s.Location = append(s.Location, m.location(frame))
	}
	m.Sample = append(m.Sample, s)
	return m
}

func (m *Profile) location(frame string) *gpprof.Location {
	if l := m.locations[frame]; l != nil {
		return l
	}
	name, place, _ := strings.Cut(frame, "@")
	i := strings.LastIndexByte(place, ':')
	f := m.functions[name]
	if f == nil {
		f = &gpprof.Function{ID: uint64(len(m.Function) + 1), Name: name, SystemName: name}
		if i >= 0 {
			f.Filename = place[:i]
		}
		m.Function, m.functions[name] = append(m.Function, f), f
	}
	line, _ := strconv.ParseInt(place[i+1:], 10, 64)
	l := &gpprof.Location{ID: uint64(len(m.Location) + 1), Line: []gpprof.Line{{Function: f, Line: line}}}
	m.Location, m.locations[frame] = append(m.Location, l), l
	return l
}

// File writes the profile to a temporary folder and returns its name.
func (m *Profile) File(t testing.TB, name string) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}
