package evidence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// Every refusal is one line that names the file.
func TestBadProfiles(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	other := profiletest.New("samples/count", "cpu/nanoseconds")
	other.Add("std::vector::push_back main", 1, 10)
	foreign := profiletest.New("objects/count", "space/bytes")
	foreign.Add("malloc main", 1, 10)
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	difference := profiletest.NewCPU().CPU(100, "main.f@/src/app/x.go:1").CPU(-5, profiletest.Worker)
	overflow := profiletest.NewCPU().Add(stack, 1<<62, 1).Add(profiletest.Malloc+stack, 1<<62, 1)
	zero := profiletest.NewCPU().Add(stack, 1, 0)
	shrunk := profiletest.NewHeap(0).Add(stack, 1, 64, -1, -64)
	fast := profiletest.NewCPU().CPU(10, profiletest.Malloc+stack)
	fast.Period = 2_000_000
	slow := profiletest.NewHeap(60)
	slow.Period = 1
	for _, test := range []struct {
		name, want string
		files      []string
	}{
		{"empty", "no samples", []string{profiletest.NewCPU().File(t, "empty")}},
		{"C++", "not of a Go program", []string{other.File(t, "native")}},
		{"other columns", `"objects", "space"`, []string{foreign.File(t, "tcmalloc")}},
		{"text", "text", []string{text}},
		{"difference", "it is a difference", []string{difference.File(t, "diff")}},
		{"difference of heaps", "it is a difference", []string{shrunk.File(t, "shrunk")}},
		{"overflow", "larger than a number can be", []string{overflow.File(t, "overflow")}},
		{"zeros", "nothing but zeros", []string{zero.File(t, "zero")}},
		{"sampling rates of CPU", "diagnose them apart", []string{profiletest.NewCPU().CPU(10, profiletest.Malloc+stack).File(t, "a"), fast.File(t, "b")}},
		{"sampling rates", "diagnose them apart", []string{profiletest.NewHeap(0).Heap(1, 1, stack).File(t, "a"), slow.Heap(1, 1, stack).File(t, "b")}},
	} {
		all := NewProfiles(0)
		var err error
		for _, f := range test.files {
			if err == nil {
				err = all.AddFile(f)
			}
		}
		if err == nil {
			_, err = New(t.Context(), all, nil, Runtime{})
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), test.files[len(test.files)-1]) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// A benchmark that only computes never enters the runtime, and is one of Go all
// the same.
func TestProfileWithoutTheRuntime(t *testing.T) {
	computes := profiletest.NewCPU().CPU(200, "example.org/sums.Sum@/src/sums/sum.go:9 testing.(*B).launch@/go/src/testing/benchmark.go:377")
	if err := NewProfiles(0).AddFile(computes.File(t, "cpu")); err != nil {
		t.Error(err)
	}
}

// Names do not matter: a heap profile named cpu is one of the heap.
func TestKindIsToldByColumns(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	all := NewProfiles(0)
	if err := all.AddFile(profiletest.NewHeap(0).Heap(10, 5, stack).File(t, "cpu.pprof")); err != nil {
		t.Fatal(err)
	}
	if err := all.AddFile(profiletest.NewCPU().CPU(10, profiletest.Malloc+stack).File(t, "heap.pprof")); err != nil {
		t.Fatal(err)
	}
	window := profiletest.NewHeap(0)
	window.DurationNanos = 30e9
	if err := all.AddFile(window.Heap(10, 5, stack).File(t, "x")); err != nil {
		t.Fatal(err)
	}
	if len(all.Heaps) != 1 || len(all.CPU) != 1 || len(all.Allocs) != 1 || len(all.Notes) != 2 {
		t.Errorf("%d heaps, %d CPU, %d allocations, notes %q", len(all.Heaps), len(all.CPU), len(all.Allocs), all.Notes)
	}
}

// The live heap may be smaller after a window of allocations.
func TestAllocationsOfAShrinkingHeap(t *testing.T) {
	window := profiletest.NewHeap(0)
	window.DurationNanos = 30e9
	if err := NewProfiles(0).AddFile(window.Add("example.org/app.f@/src/app/x.go:1"+profiletest.Main, 10, 640, -5, -320).File(t, "allocs")); err != nil {
		t.Error(err)
	}
}

// A file's name is anybody's.
func TestErrorsAreOneHarmlessLine(t *testing.T) {
	data, err := os.ReadFile(profiletest.New("objects/count").Add("malloc main", 1).File(t, "x"))
	if err != nil {
		t.Fatal(err)
	}
	err = NewProfiles(0).AddBytes("a\n\x1b[31mb", data)
	if err == nil || !strings.HasPrefix(err.Error(), "a␊␛[31mb: no profile of a Go program") {
		t.Errorf("%q", err)
	}
}

func TestTooLarge(t *testing.T) {
	all := NewProfiles(64)
	err := all.AddFile(profiletest.NewHeap(0).Heap(10, 5, "example.org/app.f@/src/app/x.go:1"+profiletest.Main).File(t, "heap"))
	if err == nil || !strings.Contains(err.Error(), "heap") {
		t.Error(err)
	}
}
