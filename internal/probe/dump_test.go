package probe

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/mode"
)

const dumpText = `go go1.26.8
env "GOGC=50"
env "X=a=b\n\x00"
cpu 2
cpu-at-gc 1
uint /gc/cycles/total:gc-cycles 9
uint /gc/cycles/automatic:gc-cycles 7
uint /gc/gogc:percent 18446744073709551615
uint /gc/gomemlimit:bytes 9223372036854775807
float /cpu/classes/gc/total:cpu-seconds 0.4
float /cpu/classes/gc/mark/idle:cpu-seconds 0.1
float /cpu/classes/gc/mark/assist:cpu-seconds 0.05
float /cpu/classes/scavenge/total:cpu-seconds 0.1
float /cpu/classes/user:cpu-seconds 0.5
histogram /sched/pauses/total/gc:seconds -Inf:0:1 0.001:0.002:98 0.002:+Inf:1
histogram /gc/pauses:seconds 7:8:1
live 3 1 2
goal 30 10 20
VmHWM:	    2184 kB
final
`

// slots lays out a dump as the probe does.
func slots(texts map[uint64]string) []byte {
	file := make([]byte, 2*slotSize)
	for number, text := range texts {
		sum := fnv.New64a()
		sum.Write([]byte(text))
		copy(file[number%2*slotSize:], fmt.Sprintf("heapwright-probe 1 %d %d %x\n%s", number, len(text), sum.Sum64(), text))
	}
	return file
}

func TestParseDump(t *testing.T) {
	d, err := parseDump(slots(map[uint64]string{5: "cpu 1\n", 6: dumpText}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"GOGC": "50", "X": "a=b\n\x00"}, d.Env); diff != "" {
		t.Error(diff)
	}
	if !d.Final || d.GoVersion != "go1.26.8" || d.PeakRSS != 2184<<10 || d.CPU != 2 {
		t.Errorf("%+v", d)
	}
	// Collector without idle marking 0.3 s, assists 0.05 s, of 1 s of CPU time
	// until the last collection, and as much again after it.
	values, missing := GC(true, 9, &d, nil)
	want := map[string]float64{
		"gc-cycles/op": 1, "gc-cpu-fraction": 0.15, "assist-cpu-fraction": 0.025,
		"stw-p99-sec": 0.002, "live-heap-bytes": 2, "heap-goal-bytes": 20,
	}
	if diff := cmp.Diff(want, values, near); diff != "" || len(missing) > 0 {
		t.Errorf("missing %v, (-want +got)\n%s", missing, diff)
	}
	if values, _ := GC(false, 7, &d, nil); values["gc-cycles/op"] != 1 {
		t.Errorf("cycles of a test: %v", values)
	}
	id := d.Identify(mode.Identity{GoVersion: "go1.27.4"})
	if !id.Reported || id.GOGC != -1 || id.MemoryLimit != 1<<63-1 || id.GoVersion != "go1.27.4" {
		t.Errorf("%+v", id)
	}
}

var near = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })

// Whatever byte of the newest write is missing, the one before it is read.
func TestTornWrite(t *testing.T) {
	for _, cut := range []int{0, 10, 40, 60, len(dumpText)} {
		file := slots(map[uint64]string{3: "cpu 3\n", 4: dumpText})
		clear(file[cut:slotSize])
		d, err := parseDump(file)
		if err != nil || d.CPU != 3 || d.Final {
			t.Errorf("cut at %d: %+v, %v", cut, d, err)
		}
	}
}

func TestReadDumpErrors(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"empty":     "",
		"not whole": "heapwright-probe 1 1 100 0\ncpu 1\n",
		"no number": string(slots(map[uint64]string{1: "uint x y\n"})),
		"no bucket": string(slots(map[uint64]string{1: "histogram x 1:2\n"})),
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if d, err := ReadDump(file); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	if _, err := ReadDump(filepath.Join(dir, "absent")); err == nil || !strings.Contains(err.Error(), "without the probe") {
		t.Error(err)
	}
}

func TestGCSources(t *testing.T) {
	trace := &Trace{Cycles: []Cycle{{Number: 1, SweepTerm: 1e6, MarkTerm: 2e6, Assist: 1e7, Background: 2e7, Idle: 5e7, Live: 3, Goal: 4}}}
	values, missing := GC(true, 1, nil, trace)
	want := map[string]float64{
		"gc-cycles/op": 1, "stw-p99-sec": 0.002, "live-heap-bytes": 3, "heap-goal-bytes": 4,
	}
	if diff := cmp.Diff(want, values, near); diff != "" || len(missing) != 2 || missing["gc-cpu-fraction"] == "" {
		t.Errorf("missing %v, (-want +got)\n%s", missing, diff)
	}
	// A dump that is not final may lack the last cycle.
	if values, _ := GC(true, 1, &Dump{}, trace); values["gc-cycles/op"] != 1 {
		t.Errorf("%v", values)
	}
	values, missing = GC(true, 1, &Dump{Final: true}, nil)
	if v, ok := values["gc-cycles/op"]; v != 0 || !ok || missing["stw-p99-sec"] != "the run ended without a collection" {
		t.Errorf("%v, missing %v", values, missing)
	}
	trace.Mixed = true
	if values, missing := GC(true, 1, nil, trace); len(values) != 0 || len(missing) != 6 {
		t.Errorf("%v, missing %v", values, missing)
	}
}

func FuzzDump(f *testing.F) {
	f.Add(dumpText, 0)
	f.Add("histogram x 1:2:3 2:+Inf:1\nlive 1 2\n", 5)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		file := slots(map[uint64]string{1: text})
		if len(file) != 2*slotSize {
			t.Skip()
		}
		parseDump(file[:min(max(cut, 0), len(file))])
		d, err := parseDump(file)
		if err != nil {
			return
		}
		values, missing := GC(true, 1, &d, nil)
		if len(values)+len(missing) != 6 {
			t.Errorf("%v, missing %v", values, missing)
		}
		for metric, v := range values {
			if v < 0 || v != v {
				t.Errorf("%s: %v", metric, v)
			}
		}
	})
}
