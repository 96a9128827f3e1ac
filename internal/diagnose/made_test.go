package diagnose

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// made builds a profile: columns such as "cpu/nanoseconds", then stacks, the leaf
// first, of frames "function@file:line".
type made struct {
	gpprof.Profile
	functions map[string]*gpprof.Function
	locations map[string]*gpprof.Location
}

func newMade(columns ...string) *made {
	m := &made{functions: map[string]*gpprof.Function{}, locations: map[string]*gpprof.Location{}}
	for _, c := range columns {
		name, unit, _ := strings.Cut(c, "/")
		m.SampleType = append(m.SampleType, &gpprof.ValueType{Type: name, Unit: unit})
	}
	return m
}

// madeCPU is a CPU profile; its samples are counts, 10 ms each.
func madeCPU() *made {
	m := newMade("samples/count", "cpu/nanoseconds")
	m.PeriodType, m.Period = &gpprof.ValueType{Type: "cpu", Unit: "nanoseconds"}, 10_000_000
	return m
}

// madeHeap is a snapshot, taken so many seconds after the first.
func madeHeap(at int64) *made {
	m := newMade("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes")
	m.PeriodType, m.Period = &gpprof.ValueType{Type: "space", Unit: "bytes"}, 512<<10
	m.TimeNanos = (1_700_000_000 + at) * 1e9
	return m
}

func (m *made) cpu(n int64, stack string) *made { return m.add(stack, n, n*10_000_000) }

// heap adds objects of 64 bytes: so many allocated, so many of them alive.
func (m *made) heap(allocated, alive int64, stack string) *made {
	return m.add(stack, allocated, 64*allocated, alive, 64*alive)
}

func (m *made) add(stack string, values ...int64) *made {
	s := &gpprof.Sample{Value: values}
	for frame := range strings.FieldsSeq(stack) {
		s.Location = append(s.Location, m.location(frame))
	}
	m.Sample = append(m.Sample, s)
	return m
}

func (m *made) location(frame string) *gpprof.Location {
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

// file writes the profile to a temporary folder.
func (m *made) file(t testing.TB, name string) string {
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

// gathered reads files and gathers evidence without source.
func gathered(t testing.TB, rt Runtime, files ...string) *Evidence {
	t.Helper()
	all := NewProfiles(0)
	for _, f := range files {
		if err := all.AddFile(f); err != nil {
			t.Fatal(err)
		}
	}
	e, err := Gather(all, nil, rt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
