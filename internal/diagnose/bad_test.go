package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every refusal is one line that names the file.
func TestBadProfiles(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + root
	other := newMade("samples/count", "cpu/nanoseconds")
	other.add("std::vector::push_back main", 1, 10)
	foreign := newMade("objects/count", "space/bytes")
	foreign.add("malloc main", 1, 10)
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	difference := madeCPU().cpu(100, "main.f@/src/app/x.go:1").cpu(-5, worker)
	overflow := madeCPU().add(stack, 1<<62, 1).add(malloc+stack, 1<<62, 1)
	zero := madeCPU().add(stack, 1, 0)
	shrunk := madeHeap(0).add(stack, 1, 64, -1, -64)
	fast := madeCPU().cpu(10, malloc+stack)
	fast.Period = 2_000_000
	slow := madeHeap(60)
	slow.Period = 1
	for _, test := range []struct {
		name, want string
		files      []string
	}{
		{"empty", "no samples", []string{madeCPU().file(t, "empty")}},
		{"C++", "not of a Go program", []string{other.file(t, "native")}},
		{"other columns", `"objects", "space"`, []string{foreign.file(t, "tcmalloc")}},
		{"text", "text", []string{text}},
		{"difference", "it is a difference", []string{difference.file(t, "diff")}},
		{"difference of heaps", "it is a difference", []string{shrunk.file(t, "shrunk")}},
		{"overflow", "larger than a number can be", []string{overflow.file(t, "overflow")}},
		{"zeros", "nothing but zeros", []string{zero.file(t, "zero")}},
		{"sampling rates of CPU", "diagnose them apart", []string{madeCPU().cpu(10, malloc+stack).file(t, "a"), fast.file(t, "b")}},
		{"sampling rates", "diagnose them apart", []string{madeHeap(0).heap(1, 1, stack).file(t, "a"), slow.heap(1, 1, stack).file(t, "b")}},
	} {
		all := NewProfiles(0)
		var err error
		for _, f := range test.files {
			if err == nil {
				err = all.AddFile(f)
			}
		}
		if err == nil {
			_, err = Gather(all, nil, Runtime{})
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
	computes := madeCPU().cpu(200, "example.org/sums.Sum@/src/sums/sum.go:9 testing.(*B).launch@/go/src/testing/benchmark.go:377")
	if err := NewProfiles(0).AddFile(computes.file(t, "cpu")); err != nil {
		t.Error(err)
	}
}

// Names do not matter: a heap profile named cpu is one of the heap.
func TestKindIsToldByColumns(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + root
	all := NewProfiles(0)
	if err := all.AddFile(madeHeap(0).heap(10, 5, stack).file(t, "cpu.pprof")); err != nil {
		t.Fatal(err)
	}
	if err := all.AddFile(madeCPU().cpu(10, malloc+stack).file(t, "heap.pprof")); err != nil {
		t.Fatal(err)
	}
	window := madeHeap(0)
	window.DurationNanos = 30e9
	if err := all.AddFile(window.heap(10, 5, stack).file(t, "x")); err != nil {
		t.Fatal(err)
	}
	if len(all.Heaps) != 1 || len(all.CPU) != 1 || len(all.Allocs) != 1 || len(all.Notes) != 2 {
		t.Errorf("%d heaps, %d CPU, %d allocations, notes %q", len(all.Heaps), len(all.CPU), len(all.Allocs), all.Notes)
	}
}

// What was allocated in a window may have made the live heap smaller.
func TestAllocationsOfAShrinkingHeap(t *testing.T) {
	window := madeHeap(0)
	window.DurationNanos = 30e9
	if err := NewProfiles(0).AddFile(window.add("example.org/app.f@/src/app/x.go:1"+root, 10, 640, -5, -320).file(t, "allocs")); err != nil {
		t.Error(err)
	}
}

// A file's name is anybody's.
func TestErrorsAreOneHarmlessLine(t *testing.T) {
	data, err := os.ReadFile(newMade("objects/count").add("malloc main", 1).file(t, "x"))
	if err != nil {
		t.Fatal(err)
	}
	err = NewProfiles(0).AddBytes("a\n\x1b[31mb", data)
	if err == nil || !strings.HasPrefix(err.Error(), "a␊␛[31mb: no profile of a Go program") {
		t.Errorf("%q", err)
	}
	if _, err = Run(t.Context(), Plan{Sources: []string{"a\n\x1b[31mb"}, Dir: t.TempDir()}); err == nil || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("%q", err)
	}
}

func TestTooLarge(t *testing.T) {
	all := NewProfiles(64)
	err := all.AddFile(madeHeap(0).heap(10, 5, "example.org/app.f@/src/app/x.go:1"+root).file(t, "heap"))
	if err == nil || !strings.Contains(err.Error(), "heap") {
		t.Error(err)
	}
}
