package cli

import (
	"testing"
	"time"
)

// A small budget shortens the load, unless the user says how long it is.
func TestLoadFitsBudget(t *testing.T) {
	for _, test := range []struct {
		spec             string
		budget           time.Duration
		warmup, duration time.Duration
	}{
		{"rate=10", 0, 3 * time.Second, 20 * time.Second},
		{"rate=10", time.Minute, time.Second, 3 * time.Second},
		{"rate=10", 5 * time.Minute, time.Second, 5 * time.Second},
		{"rate=10", time.Hour, 3 * time.Second, 20 * time.Second},
		{"duration=7s", time.Minute, 3 * time.Second, 7 * time.Second},
		{"warmup=2s", time.Minute, 2 * time.Second, 20 * time.Second},
		{"shape=storm,storms=3,storm-length=2s", time.Minute, 3 * time.Second, 20 * time.Second},
	} {
		var l loadFlags
		fs := &flagSet{}
		l.register(fs)
		if err := fs.target.common.Parse([]string{"-url", "http://127.0.0.1:1/", "-load", test.spec}); err != nil {
			t.Fatal(err)
		}
		note := l.fit(test.budget)
		if l.warmup != test.warmup || l.duration != test.duration {
			t.Errorf("-load %s -budget %v: %v after %v of warm-up, want %v after %v", test.spec, test.budget, l.duration, l.warmup, test.duration, test.warmup)
		}
		if told := note != ""; told != (test.duration < 7*time.Second) {
			t.Errorf("-load %s -budget %v: the note is %q", test.spec, test.budget, note)
		}
	}
}
