package evidence

import (
	"math"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

func TestAlike(t *testing.T) {
	const (
		scan  = "example.org/app.scan@/src/app/x.go:1 "
		sort  = "example.org/app.sort@/src/app/x.go:9 "
		moved = "example.org/app.sort@/ci/app/x.go:12 "
		bench = "example.org/app.BenchmarkScan@/src/app/x_test.go:3 "
	)
	here := built(t, Runtime{}, profiletest.NewCPU().CPU(60, scan+profiletest.Main).CPU(20, sort+profiletest.Main).
		CPU(20, bench+profiletest.Main).File(t, "here"))
	there := built(t, Runtime{}, profiletest.NewCPU().CPU(20, scan+profiletest.Main).CPU(30, moved+profiletest.Main).
		CPU(50, "example.org/app.load@/ci/app/y.go:4 "+profiletest.Main).File(t, "there"))
	all := here.Alike(there)
	if len(all) != 1 || all[0].Metric != "CPU" {
		t.Fatalf("%+v", all)
	}
	l := all[0]
	for name, pair := range map[string][2]float64{
		"lines": {l.Lines, 0.2}, "functions": {l.Functions, 0.2 + 0.25}, "reached": {l.Reached, 0.5},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("%s %v, want %v", name, pair[0], pair[1])
		}
	}
	if len(l.Less) != 2 || l.Less[0].Function != "example.org/app.load" || l.Less[0].Production != 0.5 || l.Less[0].Here != 0 {
		t.Errorf("more in production: %+v", l.Less)
	}
	if len(l.More) != 1 || l.More[0].Function != "example.org/app.scan" || math.Abs(l.More[0].Here-0.75) > 1e-9 {
		t.Errorf("less in production: %+v", l.More)
	}
	if same := here.Alike(here); same[0].Lines < 1-1e-9 || len(same[0].Less)+len(same[0].More) > 0 {
		t.Errorf("with itself: %+v", same)
	}
}
