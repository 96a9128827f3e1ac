package evidence

import (
	"slices"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// A file whose name contradicts its columns is noted; the name of a benchmark says
// nothing about them.
func TestNamesThatContradict(t *testing.T) {
	cpu := profiletest.NewCPU().CPU(10, profiletest.Worker)
	file := cpu.File(t, "heap.pprof")
	s := NewProfiles(0)
	for _, err := range []error{s.AddFile(file), s.AddFileAs("GetInmemory", file), s.AddMerged("GetInmemory", []string{file})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{file + " holds a CPU profile, whatever its name says"}; !slices.Equal(s.Notes, want) {
		t.Errorf("notes %q, want %q", s.Notes, want)
	}
}
