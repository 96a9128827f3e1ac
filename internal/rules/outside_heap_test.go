package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/resident"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

const mappings = `package main

import "syscall"

type table struct{ data []byte }

func (t *table) reload(fd, size int) (err error) {
	t.data, err = syscall.Mmap(fd, 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	return err
}

func scan() int { return frames() }

func frames() int { return 1 }

func main() {}
`

const mib = 1 << 20

// observed gives the process a resident memory at the ends of half a minute, of which
// files have a part.
func (s *scene) observed(first, last, ofGo, fileFirst, fileLast float64) *scene {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(d time.Duration, bytes, file float64) evidence.Resident {
		return evidence.Resident{Taken: began.Add(d), Bytes: bytes, Go: evidence.Known{Value: ofGo, OK: true}, Mappings: []resident.Mapping{
			{Kind: resident.Anonymous, Bytes: int64(bytes - file)}, {Kind: resident.File, Name: "/var/lib/geo.db", Bytes: int64(file)}}}
	}
	s.runtime.Resident = []evidence.Resident{at(0, first, fileFirst), at(30*time.Second, last, fileLast)}
	return s
}

func TestMemoryOutsideTheHeap(t *testing.T) {
	find := func(s *scene) (f finding.Finding) {
		for _, f := range s.find() {
			if f.Rule == "outside-heap" {
				return f
			}
			t.Log(describe(f), f.Others)
		}
		return f
	}
	t.Run("of C", func(t *testing.T) {
		s := newScene(t, mappings)
		s.cpu = profiletest.NewCPU().CPU(60, "runtime.cgocall@/go/src/runtime/cgocall.go:9 main._Cfunc_frame_read@_cgo_gotypes.go:9 "+s.frame("scan", "return frames()")+start)
		f := find(s.observed(300*mib, 380*mib, 12*mib, 4*mib, 4*mib))
		if f.Line != 12 || f.Confidence != evidence.High {
			t.Errorf("%s", describe(f))
		}
		has(t, f.Title, "grows: 284 MiB → 364 MiB")
		has(t, f.Remedy, "main.go:12 calls into C (C.frame_read)")
	})
	for set, want := range map[string]bool{"runtime.SetFinalizer(t, nil)": true, "println(t)": false} {
		t.Run("of C, with "+set, func(t *testing.T) {
			s := newScene(t, strings.NewReplacer(`import "syscall"`, "import (\n\t\"runtime\"\n\t\"syscall\"\n)",
				"func main() {}", "func main() { runtime.GC() }\n\nfunc open(t *table) { "+set+" }").Replace(mappings))
			s.cpu = profiletest.NewCPU().CPU(60, "runtime.cgocall@/go/src/runtime/cgocall.go:9 main._Cfunc_frame_read@_cgo_gotypes.go:9 "+s.frame("scan", "return frames()")+start)
			s.observed(20*mib, 24*mib, 12*mib, 4*mib, 4*mib)
			s.runtime.Sys = evidence.Known{Value: 14 * mib, OK: true}
			all := s.runtime.Resident
			peak := evidence.Resident{Taken: all[0].Taken.Add(time.Second), Bytes: 50 * mib, Written: evidence.Known{Value: 46 * mib, OK: true}}
			s.runtime.Resident = []evidence.Resident{all[0], peak, all[1]}
			f := find(s)
			if found := f.Title != ""; found != want {
				t.Errorf("%s: %s", set, describe(f))
			}
			if want {
				has(t, f.Title, "waits for finalizers: at least 32 MiB outside the Go heap at its peak, 8 MiB later")
				has(t, f.Remedy, "main.go:21 sets as finalizer")
			}
		})
	}
	// The profiles of the observation bring the first collection for a long time about.
	t.Run("of C, before the observation", func(t *testing.T) {
		s := newScene(t, strings.NewReplacer(`import "syscall"`, "import (\n\t\"runtime\"\n\t\"syscall\"\n)",
			"func main() {}", "func main() { runtime.GC() }\n\nfunc open(t *table) { runtime.SetFinalizer(t, nil) }").Replace(mappings))
		s.cpu = profiletest.NewCPU().CPU(60, "runtime.cgocall@/go/src/runtime/cgocall.go:9 main._Cfunc_frame_read@_cgo_gotypes.go:9 "+s.frame("scan", "return frames()")+start)
		has(t, find(s.observed(60*mib, 30*mib, 12*mib, 4*mib, 4*mib)).Title, "waits for finalizers: at least 44 MiB outside the Go heap at its peak, 14 MiB later")
	})
	t.Run("mapped, until a finalizer runs", func(t *testing.T) {
		s := newScene(t, strings.NewReplacer(`import "syscall"`, "import (\n\t\"runtime\"\n\t\"syscall\"\n)",
			"func main() {}", "func main() { runtime.GC() }\n\nfunc open(t *table) { runtime.SetFinalizer(t, nil) }").Replace(mappings))
		s.heaps[0].Heap(100, 0, s.frame("(*table).reload", "syscall.Mmap")+start)
		f := find(s.observed(60*mib, 30*mib, 12*mib, 4*mib, 4*mib))
		has(t, f.Title, "mapped memory waits for finalizers")
		has(t, f.Remedy, "defer that call")
	})
	t.Run("of a mapped file", func(t *testing.T) {
		s := newScene(t, mappings)
		s.heaps[0].Heap(100, 0, s.frame("(*table).reload", "syscall.Mmap")+start)
		f := find(s.observed(60*mib, 160*mib, 20*mib, 30*mib, 130*mib))
		if f.Line != 8 {
			t.Errorf("%s", describe(f))
		}
		has(t, f.Title, "mappings of geo.db grow: 30 MiB → 130 MiB")
		has(t, f.Remedy, "Munmap")
	})
	t.Run("of many deleted files", func(t *testing.T) {
		s := newScene(t, mappings)
		s.heaps[0].Heap(100, 0, s.frame("(*table).reload", "syscall.Mmap")+start)
		s.observed(60*mib, 90*mib, 20*mib, 4*mib, 4*mib)
		for i := range 30 {
			m := resident.Mapping{Kind: resident.File, Name: fmt.Sprintf("/var/log/%d.index (deleted)", i), Bytes: mib}
			s.runtime.Resident[1].Mappings = append(s.runtime.Resident[1].Mappings, m)
		}
		f := find(s)
		if f.Line != 8 {
			t.Errorf("%s", describe(f))
		}
		has(t, f.Title, "mappings of 30 files, such as 0.index (deleted), grow: 0 B → 30 MiB")
		has(t, f.Remedy, "does not end its mapping")
	})
	for name, of := range map[string][5]float64{
		"a small rest":            {60 * mib, 61 * mib, 40 * mib, 10 * mib, 10 * mib},
		"a file that is paged in": {60 * mib, 66 * mib, 40 * mib, 10 * mib, 16 * mib},
	} {
		t.Run(name, func(t *testing.T) {
			if f := find(newScene(t, mappings).observed(of[0], of[1], of[2], of[3], of[4])); f.Title != "" {
				t.Error(describe(f))
			}
		})
	}
}
