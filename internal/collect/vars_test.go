package collect

import (
	"encoding/json"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestPublishedBuild(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Path: "example.org/shop/cmd/shop",
		Main:     debug.Module{Path: "example.org/shop", Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	want := Build{"go1.26.8", "example.org/shop/cmd/shop", "example.org/shop", "v1.2.3", "abc", "true", NotKnown, NotKnown}
	for name, published := range map[string]any{"object": info, "text": info.String()} {
		vars, err := json.Marshal(map[string]any{"a": "text", "b": map[string]any{"GoVersion": ""}, "c": 7, "info": published})
		if err != nil {
			t.Fatal(err)
		}
		if got := buildOf(vars, nil); got != want {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestGCOfAnotherProcess(t *testing.T) {
	before := &runtime.MemStats{NumGC: 100, TotalAlloc: 1 << 30}
	after := &runtime.MemStats{NumGC: 3, TotalAlloc: 1 << 20}
	if gc := gcOf(before, after); gc.Window != nil || gc.Process.Cycles != 3 {
		t.Errorf("%+v", gc)
	}
}

// Whatever a service publishes, there are figures that JSON can hold, or an error.
func FuzzVars(f *testing.F) {
	m, err := json.Marshal(map[string]any{"memstats": runtime.MemStats{NumGC: 3, PauseTotalNs: 7}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m, []byte(`{"memstats":{"NumGC":4294967295,"TotalAlloc":18446744073709551615,"PauseNs":[1,2]}}`))
	f.Add([]byte(`{"x":{"GoVersion":"go1","Path":"p"}}`), []byte(`{"memstats":{"NumGC":"7"}}`))
	f.Add([]byte(`[]`), []byte(`{"memstats":null}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		first, _ := memstats(a)
		last, err := memstats(b)
		if _, err := json.Marshal(buildOf(b, nil)); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		gc := gcOf(first, last)
		if _, err := json.Marshal(gc); err != nil {
			t.Fatal(err)
		}
		if w := gc.Window; w != nil && (w.PauseSeconds < 0 || math.IsInf(w.PauseSeconds, 0) || w.LongestPause < 0) {
			t.Fatalf("%+v", w)
		}
	})
}
