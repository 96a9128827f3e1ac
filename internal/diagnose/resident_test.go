package diagnose

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/resident"
)

const mib = 1 << 20

// hundredMiB has 100 MiB by the runtime, of which 10 MiB were given back.
func hundredMiB() evidence.Runtime {
	known := func(v float64) evidence.Known { return evidence.Known{Value: v * mib, OK: true} }
	return evidence.Runtime{Objects: known(40), InUse: known(50), Idle: known(30), Released: known(10), Stacks: known(8), Metadata: known(12),
		Sys: known(100), Live: known(30)}
}

func residentParts(t *testing.T, rt evidence.Runtime) (*Resident, map[string]float64) {
	t.Helper()
	all := evidence.NewProfiles(0)
	heap := profiletest.NewHeap(0).Heap(1000, 600, "main.load@ex.com/x/main.go:9 main.main@ex.com/x/main.go:1").Heap(1000, 300, "main.keep@ex.com/x/main.go:12 main.main@ex.com/x/main.go:1")
	if err := all.AddFile(heap.File(t, "heap")); err != nil {
		t.Fatal(err)
	}
	e, err := evidence.New(t.Context(), all, nil, rt)
	if err != nil {
		t.Fatal(err)
	}
	r := residentOf(e)
	if r == nil {
		return nil, nil
	}
	parts, sum := map[string]float64{}, 0.0
	for _, p := range r.Parts {
		parts[strings.Join(p.Path, "/")] = math.Round(p.Bytes / mib)
		sum += p.Bytes
	}
	if math.Abs(sum-r.Bytes) > 100 {
		t.Errorf("the parts are %.0f bytes, the whole %.0f", sum, r.Bytes)
	}
	return r, parts
}

func TestResidentParts(t *testing.T) {
	rt := hundredMiB()
	rt.RSS = evidence.Known{Value: 150 * mib, OK: true}
	at := func(files, rest float64, library string) []evidence.Resident {
		return []evidence.Resident{{Taken: time.Now(), Bytes: (files + rest) * mib, Mappings: []resident.Mapping{
			{Kind: resident.Anonymous, Bytes: int64(rest * mib)}, {Kind: resident.File, Name: "/var/lib/geo.db", Bytes: int64(files * mib)},
			{Kind: resident.File, Name: library, Bytes: 0}}}}
	}
	for _, test := range []struct {
		name     string
		resident []evidence.Resident
		want     map[string]float64
	}{
		{"a figure of RSS", nil, map[string]float64{"outside Go/the binary, C, mapped files": 60, "Go/live heap": 30, "Go/garbage": 10,
			"Go/free space in used spans": 10, "Go/idle spans": 20, "Go/stacks": 8, "Go/runtime": 12}},
		{"mappings", at(25, 125, "/lib/libc.so.6"), map[string]float64{"mapped files/geo.db": 25, "outside Go/C and libraries": 35, "Go/live heap": 30, "Go/garbage": 10,
			"Go/free space in used spans": 10, "Go/idle spans": 20, "Go/stacks": 8, "Go/runtime": 12}},
		{"a program without C", at(25, 125, "/bin/app"), map[string]float64{"mapped files/geo.db": 25, "unexplained/neither Go's nor a file's": 35, "Go/live heap": 30, "Go/garbage": 10,
			"Go/free space in used spans": 10, "Go/idle spans": 20, "Go/stacks": 8, "Go/runtime": 12}},
		{"spans that were never touched", at(25, 75, "/lib/libc.so.6"), map[string]float64{"mapped files/geo.db": 25, "Go/live heap": 30, "Go/garbage": 10,
			"Go/free space in used spans": 10, "Go/idle spans": 5, "Go/stacks": 8, "Go/runtime": 12}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rt.Resident = test.resident
			_, got := residentParts(t, rt)
			for part, mibs := range test.want {
				if got[part] != mibs {
					t.Errorf("%s is %v MiB, want %v", part, got[part], mibs)
				}
			}
			if len(got) != len(test.want) {
				t.Errorf("parts %v", got)
			}
		})
	}
	rt.PeakRSS = true
	if r, _ := residentParts(t, rt); r != nil {
		t.Errorf("parts of a peak: %+v", r.Parts)
	}
}

// The profile is pprof's: its sum is the resident memory, its root is the process, and
// the live heap is by site.
func TestResidentProfile(t *testing.T) {
	rt := hundredMiB()
	rt.RSS = evidence.Known{Value: 150 * mib, OK: true}
	r, _ := residentParts(t, rt)
	var b bytes.Buffer
	if err := r.WriteProfile(&b); err != nil {
		t.Fatal(err)
	}
	p, err := pprof.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	sum, byLeaf := int64(0), map[string]int64{}
	for _, s := range p.Sample {
		sum += s.Value[0]
		if root := s.Location[len(s.Location)-1].Line[0].Function.Name; root != "resident memory" {
			t.Errorf("a root is %s", root)
		}
		byLeaf[s.Location[0].Line[0].Function.Name] += s.Value[0]
	}
	if sum < 150*mib-100 || sum > 150*mib {
		t.Errorf("the samples are %d bytes", sum)
	}
	if got := byLeaf["main.load"] / mib; got < 19 || got > 20 { // two thirds of the live heap
		t.Errorf("main.load holds %d MiB", got)
	}
}
