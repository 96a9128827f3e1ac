package tune

import (
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
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
		{6 * time.Minute, "floor=100MiB nogreenteagc", false},
		{time.Minute, "floor=100MiB", false},
		{20 * time.Second, "", false}, // five runs of five seconds do not fit
	} {
		doc := &Document{}
		all, staged := p.affordable(tryable, test.rest, doc)
		if got := modesOf(all); got != test.want || staged != test.staged {
			t.Errorf("in %v: %q, staged %v; want %q, %v", test.rest, got, staged, test.want, test.staged)
		}
		if missing := len(all) < len(tryable); missing != (doc.noTime != "") || missing && !strings.Contains(doc.noTime, "GOGC=400") {
			t.Errorf("in %v: %q", test.rest, doc.noTime)
		}
	}
	if all, staged := (Plan{Target: &target.Packages{}}).affordable(tryable, time.Minute, &Document{}); len(all) != len(tryable) || !staged {
		t.Errorf("benchmarks: %q, staged %v", modesOf(all), staged)
	}
	// A command's runs are as long as the one that was profiled.
	doc := &Document{Diagnosis: &diagnose.Document{RunTime: 28}}
	p = Plan{Target: &target.Command{}}
	if all, _ := p.affordable(tryable, 90*time.Second, doc); len(all) > 0 || !strings.HasPrefix(doc.noTime, "runs of 28 s leave no time to compare") {
		t.Errorf("runs of 28 s in 90 s: %q, %q", modesOf(all), doc.noTime)
	}
	doc.conclude(p, nil, "")
	if !strings.Contains(doc.Answer, "No mode was tried: runs of 28 s leave no time") || !strings.Contains(doc.Answer, "for floor=100MiB alone") {
		t.Error(doc.Answer)
	}
}
