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

// Memory of a registration that a path does not undo is that path's, unless it stays the same.
func TestUnreleased(t *testing.T) {
	for name, c := range map[string]struct {
		heaps int
		grows bool
		want  evidence.Confidence // "" for no finding
	}{
		"one profile": {1, false, evidence.Medium},
		"grows":       {5, true, evidence.High},
		"steady":      {5, false, ""},
	} {
		s := &scene{t: t, text: registrations, lines: registrations, cpu: profiletest.NewCPU().CPU(40, profiletest.Worker)}
		for i := range c.heaps {
			live := int64(1e7)
			if c.grows {
				live *= int64(i + 1)
			}
			p := profiletest.NewHeap(int64(60 * i))
			p.Heap(1e8*int64(i+1), live, "context.AfterFunc@/go/src/context/context.go:1 "+s.frame("open", "context.AfterFunc")+start)
			s.heaps = append(s.heaps, p)
		}
		var all []finding.Finding
		for _, f := range s.find() {
			all = append(append(all, f), f.Others...)
		}
		i := slices.IndexFunc(all, func(f finding.Finding) bool { return f.Rule == "unreleased" })
		if i < 0 {
			if c.want != "" {
				t.Errorf("%s: not found", name)
			}
			continue
		}
		has(t, all[i].Title, "main.go:10 leaves what context.AfterFunc returned unreleased")
		if all[i].Confidence != c.want {
			t.Errorf("%s: confidence %q, want %q", name, all[i].Confidence, c.want)
		}
	}
}
