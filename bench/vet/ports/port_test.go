package main

import (
	"testing"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/internal/check"
)

// A typo in a port or a plant would change another line, or none.
func TestPorts(t *testing.T) {
	for _, p := range Ports() {
		if p.Path == "" || p.Version == "" || len(p.Edits) == 0 || len(p.Packages) == 0 || len(p.Plants) == 0 {
			t.Errorf("%s: no version, edits, packages or plants", p.Name)
		}
		if err := truth.Check(p.Edits); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		for _, l := range p.Plants {
			if check.Find(l.Check) == nil || l.Fault == "" || l.File == "" || l.Old == "" || l.Old == l.New || l.At == "" {
				t.Errorf("%s: a plant is not whole: %+v", p.Name, l)
			}
		}
	}
}
