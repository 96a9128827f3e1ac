package rules

import (
	"slices"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

const registrations = `package main

import "context"

func open(ctx context.Context, release bool) {
	stop := context.AfterFunc(ctx, func() { println() })
	if release {
		stop()
	}
}

func main() {
	for {
		open(nil, false)
	}
}
`

// Memory of a registration that a path does not undo is that path's.
func TestUnreleased(t *testing.T) {
	for _, grows := range []bool{false, true} {
		s := &scene{t: t, text: registrations, lines: registrations, cpu: profiletest.NewCPU().CPU(40, profiletest.Worker)}
		for i := range 5 {
			live := int64(1e7)
			if grows {
				live *= int64(i + 1)
			}
			p := profiletest.NewHeap(int64(60 * i))
			p.Heap(1e8*int64(i+1), live, "context.AfterFunc@/go/src/context/context.go:1 "+s.frame("open", "context.AfterFunc")+start)
			s.heaps = append(s.heaps, p)
		}
		found := s.find()
		i := slices.IndexFunc(found, func(f finding.Finding) bool { return f.Rule == "unreleased" })
		if i < 0 {
			i = slices.IndexFunc(found, func(f finding.Finding) bool {
				return slices.ContainsFunc(f.Others, func(o finding.Finding) bool { return o.Rule == "unreleased" })
			})
			if i < 0 {
				t.Fatalf("grows %v: not found", grows)
			}
			found = found[i].Others
			i = slices.IndexFunc(found, func(f finding.Finding) bool { return f.Rule == "unreleased" })
		}
		f := found[i]
		has(t, f.Title, "main.go:10 leaves what context.AfterFunc returned unreleased")
		if want := map[bool]evidence.Confidence{false: evidence.Medium, true: evidence.High}[grows]; f.Confidence != want {
			t.Errorf("%s, want %s", f.Confidence, want)
		}
	}
}
