package tune

import (
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/target"
)

func TestAffordable(t *testing.T) {
	loaded, err := load.Plan{Warmup: time.Second, Duration: 3 * time.Second}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{Target: &target.Server{Plan: loaded}}
	for _, test := range []struct {
		rest   time.Duration
		want   string
		staged bool
	}{
		{time.Hour, "go1.27.4 nogreenteagc floor=100MiB GOGC=400", true},
		{5 * time.Minute, "floor=100MiB nogreenteagc", false},
		{time.Minute, "floor=100MiB", false},
	} {
		doc := &Document{}
		all, staged := p.affordable(tryable, test.rest, doc)
		if got := modesOf(all); got != test.want || staged != test.staged {
			t.Errorf("in %v: %q, staged %v; want %q, %v", test.rest, got, staged, test.want, test.staged)
		}
		if missing := len(all) < len(tryable); missing != (len(doc.Notes) > 0) || missing && !strings.Contains(doc.Notes[0], "GOGC=400") {
			t.Errorf("in %v: notes %q", test.rest, doc.Notes)
		}
	}
	if all, staged := (Plan{Target: &target.Packages{}}).affordable(tryable, time.Minute, &Document{}); len(all) != len(tryable) || !staged {
		t.Errorf("benchmarks: %q, staged %v", modesOf(all), staged)
	}
}
