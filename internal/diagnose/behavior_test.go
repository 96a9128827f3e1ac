package diagnose

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// built reads files and builds evidence without source.
func built(t testing.TB, rt evidence.Runtime, files ...string) *evidence.Evidence {
	t.Helper()
	all := evidence.NewProfiles(0)
	for _, f := range files {
		if err := all.AddFile(f); err != nil {
			t.Fatal(err)
		}
	}
	e, err := evidence.New(t.Context(), all, nil, rt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A leak is told from a cache that is full.
func TestBehavior(t *testing.T) {
	behaves := map[string]Behavior{}
	for _, p := range newDocument(built(t, evidence.Runtime{}, profiletest.LeakAndCache(t)...), nil, nil).Sites {
		behaves[p.Function] = p.Behaves
	}
	if behaves["example.org/app.leak"] != Grows || behaves["example.org/app.cache"] != Steady {
		t.Errorf("%v", behaves)
	}
}

func TestBehaviorIsNotGuessed(t *testing.T) {
	stack := "example.org/app.f@/src/app/x.go:1" + profiletest.Main
	p := newDocument(built(t, evidence.Runtime{}, profiletest.NewHeap(0).Heap(100, 90, stack).File(t, "heap")), nil, nil).Sites[0]
	if p.Behaves != Unclear || !strings.Contains(p.Why, "one heap profile") {
		t.Errorf("%s: %s", p.Behaves, p.Why)
	}
}
