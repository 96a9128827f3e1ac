package profile

import (
	"bytes"
	"regexp"
	"testing"
	"time"
)

func TestFilter(t *testing.T) {
	src := full()
	src.TimeNanos, src.DurationNanos = time.Unix(100, 0).UnixNano(), (10 * time.Second).Nanoseconds()
	p := decodeRaw(t, rawOf(t, src))
	undated := decodeRaw(t, rawOf(t, src))
	undated.TimeNanos = 0
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	for name, c := range map[string]struct {
		f    Filter
		p    *Profile
		want int
	}{
		"all":              {Filter{}, p, 4},
		"inside":           {Filter{From: at(104), To: at(105)}, p, 4},
		"ends at from":     {Filter{From: at(110)}, p, 4},
		"begins at to":     {Filter{To: at(100)}, p, 0},
		"before":           {Filter{From: at(111)}, p, 0},
		"undated":          {Filter{}, undated, 4},
		"undated, from":    {Filter{From: at(1)}, undated, 0},
		"text":             {Filter{Labels: TextLabel("z", regexp.MustCompile("^1$"))}, p, 2},
		"text, no match":   {Filter{Labels: TextLabel("z", regexp.MustCompile("^3$"))}, p, 0},
		"text of numbers":  {Filter{Labels: TextLabel("bytes", regexp.MustCompile(""))}, p, 0},
		"number":           {Filter{Labels: NumberLabel("bytes", 16, 16)}, p, 1},
		"number, too high": {Filter{Labels: NumberLabel("bytes", 17, 20)}, p, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.f.Apply(c.p)
			if got.Len() != c.want {
				t.Errorf("%d samples, want %d", got.Len(), c.want)
			}
			viaPprof(t, got)
			m := NewMerger(Options{})
			m.Filter = c.f
			var b bytes.Buffer
			if err := c.p.Encode(&b); err != nil {
				t.Fatal(err)
			}
			if err := m.Decode("x", &b); err != nil {
				t.Fatal(err)
			}
			sum, err := m.Profile()
			if err != nil {
				t.Fatal(err)
			}
			if sum.Total(1) != got.Total(1) {
				t.Errorf("merging keeps %d, filtering %d", sum.Total(1), got.Total(1))
			}
		})
	}
}
