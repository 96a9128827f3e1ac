package gate

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// measured is a report of one mode in which Decode allocates so much in its
// runs.
func measured(bytes ...float64) *result.Document {
	doc := &result.Document{
		Baseline: mode.Default, Machine: result.Machine{Arch: "amd64"},
		Modes:      []result.Mode{{Name: mode.Default, Identity: mode.Identity{GoVersion: "go1.26.8"}}},
		Benchmarks: []result.Benchmark{{Key: key("Decode")}},
	}
	for i, b := range bytes {
		values := map[string]float64{"B/op": b, "cpu-sec/op": b}
		for _, name := range []string{mode.Default, mode.Default + sample.ControlSuffix} {
			doc.Runs = append(doc.Runs, sample.Run{Key: key("Decode"), Mode: name, Block: i + 1, Values: values})
			values = map[string]float64{"B/op": 1e9} // the control is no part of this
		}
	}
	return doc
}

func TestCheckStored(t *testing.T) {
	tests := []struct {
		name      string
		then, now *result.Document
		want      Outcome
	}{
		{"as it was", measured(1000, 1000), measured(1000, 1001), Pass},
		{"more", measured(1000, 1010), measured(1070, 1080), Fail},
		{"perhaps more", measured(1000, 1100), measured(1070, 1080), Inconclusive},
		{"less", measured(1000), measured(10), Pass},
		{"from nothing", measured(0), measured(1000), Fail},
		{"nothing as before", measured(0), measured(0), Pass},
	}
	for _, test := range tests {
		r, err := CheckStored(Stored(test.then), test.now, Default())
		if err != nil || len(r.Rows) != 1 || r.Rows[0].Outcome != test.want {
			t.Errorf("%s: %+v, %v; want %s of B/op alone", test.name, r, err, test.want)
		}
	}
}

func TestCheckStoredRefuses(t *testing.T) {
	other := measured(1000)
	other.Machine.Arch = "arm64"
	if _, err := CheckStored(other, measured(1000), Default()); err == nil || !strings.Contains(err.Error(), "arm64") {
		t.Errorf("a report of another architecture: %v", err)
	}
	if _, err := CheckStored(measured(), measured(1000), Default()); err == nil {
		t.Error("a report without runs is compared")
	}
	broken := measured()
	for block := range 3 {
		broken.Failures = append(broken.Failures, result.Failure{Key: key("Decode"), Mode: mode.Default, Block: block + 1})
	}
	if r, err := CheckStored(measured(1000), broken, Default()); err != nil || len(r.Broken) != 1 {
		t.Errorf("a benchmark that fails in all of its runs: %+v, %v", r, err)
	}
	if runs := Stored(measured(1000)).Runs; len(runs) != 1 || len(runs[0].Values) != 1 {
		t.Errorf("stored are %v, want one run with B/op", runs)
	}
	older := measured(1000)
	older.Modes[0].Identity.GoVersion = "go1.25.1"
	r, err := CheckStored(older, measured(1000), Default())
	if err != nil || len(r.Warnings) != 1 {
		t.Errorf("another version of Go: %v, %v", r, err)
	}
}
