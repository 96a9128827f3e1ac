package cost

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gpprof "github.com/google/pprof/profile"
	"github.com/heapwright/heapwright/internal/profile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// stackOf returns the class of a stack, given leaf first.
func stackOf(t *testing.T, frames ...string) Class {
	t.Helper()
	q := dictOf(t, frames)
	return NewClassifier(q.Dict).Class(q.Stacks[0])
}

// dictOf returns a profile of one stack, given leaf first.
func dictOf(t *testing.T, frames []string) *profile.Profile {
	t.Helper()
	p := &gpprof.Profile{SampleType: []*gpprof.ValueType{{Type: "cpu", Unit: "nanoseconds"}}}
	s := &gpprof.Sample{Value: []int64{1}}
	for i, name := range frames {
		f := &gpprof.Function{ID: uint64(i + 1), Name: name}
		l := &gpprof.Location{ID: uint64(i + 1), Line: []gpprof.Line{{Function: f}}}
		p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
	}
	p.Sample = append(p.Sample, s)
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	q, err := profile.NewDecoder(profile.Options{}).DecodeBytes("test", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestClass(t *testing.T) {
	for stack, want := range map[string]Class{
		"main.f < main.main < runtime.main < runtime.goexit":                                                                 Own,
		"runtime.memmove < runtime.growslice < main.f":                                                                       Own,
		"runtime.memclrNoHeapPointers < main.f":                                                                              Own,
		"aeshashbody < runtime.mapassign < main.f":                                                                           Own,
		"runtime.mallocgc < main.f":                                                                                          MallocSmall,
		"runtime.mallocgcSmallScanNoHeaderSC5 < runtime.newobject < main.f":                                                  MallocSmall,
		"runtime.(*mspan).init < runtime.(*mcache).refill < runtime.mallocgc < main.f":                                       MallocSmall,
		"runtime.memclrNoHeapPointers < runtime.mallocgc < main.f":                                                           Zeroing,
		"runtime.memclrNoHeapPointers < runtime.memclrNoHeapPointersChunked < runtime.mallocgcLarge":                         Zeroing,
		"runtime.(*mheap).allocSpan < runtime.systemstack < runtime.(*mcache).allocLarge < runtime.mallocgc < main.f":        MallocLarge,
		"runtime.scanobject < runtime.gcDrain < runtime.gcBgMarkWorker.func2 < runtime.systemstack < runtime.gcBgMarkWorker": Mark,
		"runtime.scanobject < runtime.gcDrainN < runtime.gcAssistAlloc1 < runtime.gcAssistAlloc.func1 < runtime.systemstack < runtime.gcAssistAlloc < runtime.mallocgc < main.f": Assist,
		"runtime.(*sweepLocked).sweep < runtime.(*mcentral).cacheSpan < runtime.(*mcache).refill < runtime.mallocgc < main.f":                                                    Sweep,
		"runtime.(*sweepLocked).sweep.(*mheap).freeSpan.func4 < runtime.systemstack < runtime.(*sweepLocked).sweep < runtime.bgsweep":                                            Sweep,
		"runtime.madvise < runtime.sysUnusedOS < runtime.sysUnused < runtime.(*pageAlloc).scavengeOne < runtime.bgscavenge":                                                      Scavenge,
		"runtime.greyobject < runtime.wbBufFlush1 < runtime.wbBufFlush.func1 < runtime.gcWriteBarrier < main.f":                                                                  WriteBarrier,
		"runtime.mmap < runtime.sysMap < runtime.(*mheap).grow < runtime.mallocgc < main.f":                                                                                      PageFaults,
		"runtime.futex < runtime.findRunnable < runtime.schedule < runtime.park_m < runtime.mcall":                                                                               OtherRuntime,
		"runtime.mallocgc.func1":                            MallocSmall,
		"gcWriteBarrier < runtime.gcWriteBarrier2 < main.f": WriteBarrier,
		"mallocgc < main.f":                                 Own, // no runtime function has a name without a package
		"example.com/runtime.mallocgc < main.main":          Own,
		"main.mallocgc":                                     Own,
		// A timer that fires is nobody's own code.
		"runtime.lock2 < runtime.chansend < time.sendTime < runtime.(*timer).unlockAndRun < runtime.(*timers).run < runtime.findRunnable < runtime.mcall": OtherRuntime,
		"time.Now < main.f < main.main": Own,
		// A call back into the program, such as a finalizer, is the program.
		"main.finalize < runtime.runfinq": Own,
	} {
		if got := stackOf(t, strings.Split(stack, " < ")...); got != want {
			t.Errorf("%s is %s, want %s", stack, got, want)
		}
	}
}

// TestEveryGo sorts a profile made by each Go, in which every class occurs. The
// golden file lists the class of every leaf, for people to judge the changes of a new
// Go.
func TestEveryGo(t *testing.T) {
	files, err := filepath.Glob("testdata/go1.*.pb.gz")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d profiles in testdata, want one of each Go from 1.20 to 1.27: %v", len(files), err)
	}
	for _, file := range files {
		version := strings.TrimSuffix(filepath.Base(file), ".pb.gz")
		t.Run(version, func(t *testing.T) {
			p, err := profile.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			column, ok := p.Column("cpu")
			if !ok {
				t.Fatal("it is no CPU profile")
			}
			shares := Shares(p, column)
			for _, class := range Classes() {
				if shares[class] == 0 {
					t.Errorf("nothing is %s", class)
				}
			}
			if other := shares[OtherRuntime]; other*10 > p.Total(column) {
				t.Errorf("%d of %d are other runtime: a name is missing in rules", other, p.Total(column))
			}
			golden(t, filepath.Join("testdata", version+".txt"), leaves(p, column))
		})
	}
}

// leaves lists class and leaf function of all samples, with the share in percent.
func leaves(p *profile.Profile, column int) string {
	c, sums := NewClassifier(p.Dict), map[string]int64{}
	for row, stack := range p.Stacks {
		leaf := "(no frames)"
		for f := range p.Dict.Frames(stack) {
			leaf = p.Dict.FunctionName(f.Function)
			break
		}
		sums[fmt.Sprintf("%-14s %s", c.Class(stack), leaf)] += p.Values[column][row]
	}
	var b strings.Builder
	keys := slices.SortedFunc(maps.Keys(sums), func(a, b string) int {
		return cmp.Or(strings.Compare(a[:14], b[:14]), cmp.Compare(sums[b], sums[a]), strings.Compare(a, b))
	})
	for _, key := range keys {
		fmt.Fprintf(&b, "%5.1f%%  %s\n", 100*float64(sums[key])/float64(p.Total(column)), key)
	}
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update and judge the change):\n%s", file, got)
	}
}
