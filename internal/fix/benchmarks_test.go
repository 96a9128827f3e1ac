package fix

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// keys returns a benchmark for each letter.
func keys(letters string) (all []sample.Key) {
	for _, c := range letters {
		all = append(all, sample.Key{Benchmark: string(c)})
	}
	return all
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

func letters(all []sample.Key) string {
	var b strings.Builder
	for _, k := range all {
		b.WriteString(k.Benchmark)
	}
	return b.String()
}

// A change is measured in the benchmarks that reach it, and in two others at most, if possible
// those of other changes. Without knowledge, it is measured in all.
func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		recorded string
		reached  []string // by change
		among    string
		runs     []string
	}{
		"one line":      {"ABCDEF", []string{"E"}, "EAB", []string{"EAB"}},
		"two lines":     {"ABCDEF", []string{"E", "F"}, "EFA", []string{"EFA", "FEA"}},
		"most first":    {"ABCDEF", []string{"CA", "FEC"}, "CFAE", []string{"CAFE", "FECAB"}},
		"known for one": {"ABCD", []string{"D", ""}, "DABC", []string{"DAB", "ABCD"}},
		"not known":     {"ABC", []string{""}, "ABC", []string{"ABC"}},
		"all":           {"AB", []string{"BA"}, "BA", []string{"BA"}},
		"a server":      {"", []string{""}, "", []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			var changes []*Change
			for i, reached := range c.reached {
				changes = append(changes, &Change{Mode: string(rune('1' + i)), Benchmarks: keys(reached)})
			}
			s := choose(keys(c.recorded), changes)
			for i, want := range c.runs {
				if got := letters(s.runs[changes[i].Mode]); got != want {
					t.Errorf("change %d runs in %q, want %q", i+1, got, want)
				}
			}
			for _, k := range keys(c.recorded) {
				if skipped := !slices.Contains(s.runs["1"], k); s.skips("1", k) != skipped {
					t.Errorf("%v is skipped: %v", k, !skipped)
				}
			}
			missing := strings.Trim(c.among, letters(s.among))
			if got := letters(s.among); !strings.HasPrefix(got, c.among[:min(2, len(c.among))]) || missing != "" {
				t.Errorf("the benchmarks are %q, want %q", got, c.among)
			}
			if s.skips("1", sample.Key{Benchmark: "other"}) != (c.recorded != "") {
				t.Error("a benchmark that was not profiled")
			}
		})
	}
}

// A guard does not keep a comparison going, however long it stays inconclusive.
func TestOpen(t *testing.T) {
	s := choose(keys("AB"), []*Change{{Mode: "changed", Benchmarks: keys("A")}})
	guard := effectOf("B", cpu, verdict.Inconclusive, 1)
	for name, c := range map[string]struct {
		effects []verdict.Effect
		want    int
	}{
		"guard":   {[]verdict.Effect{guard}, 0},
		"reached": {[]verdict.Effect{guard, effectOf("A", cpu, verdict.Inconclusive, 1)}, 1},
		"decided": {[]verdict.Effect{guard, effectOf("A", cpu, verdict.Better, 1)}, 0},
		"bytes":   {[]verdict.Effect{effectOf("A", "B/op", verdict.Inconclusive, 1)}, 0},
	} {
		if got := s.open(c.effects); got != c.want {
			t.Errorf("%s: %d open, want %d", name, got, c.want)
		}
	}
	if got := new(selection).open([]verdict.Effect{guard}); got != 1 {
		t.Errorf("%d open of a server", got)
	}
}

// The combination is measured first in the benchmarks that proved its changes.
func TestTogether(t *testing.T) {
	changes := []*Change{
		{Benchmarks: keys("ABC"), Gain: &Gain{Better: []Effect{{Benchmark: "C"}, {Benchmark: "B"}}}},
		{Gain: &Gain{Better: []Effect{{Benchmark: "E"}}}},
	}
	if got := letters(together(keys("ABCDE"), changes)); got != "BECAD" {
		t.Errorf("together %q", got)
	}
	if got := together(keys("ABCDE"), changes[:1]); letters(got) != "BCA" {
		t.Errorf("one alone %q", letters(got))
	}
}

// The best change is the one with the largest proven gain of CPU, and then of memory: not the one
// whose CPU time happened to be less.
func TestBestFirst(t *testing.T) {
	gain := func(metric string, ratio float64, mean float64) *Gain {
		return &Gain{Better: []Effect{{Metric: metric, Ratio: ratio}}, Geomean: map[string]float64{cpu: mean}}
	}
	d := &Document{Changes: []Change{
		{Title: "bytes", Outcome: Kept, Gain: gain("B/op", 0.9, 0.8)},
		{Title: "more bytes", Outcome: Kept, Gain: gain("B/op", 0, 1.01)},
		{Title: "CPU", Outcome: Kept, Gain: gain(cpu, 0.95, 0.95)},
		{Title: "rejected", Outcome: Rejected},
	}}
	var got []string
	for _, c := range d.kept() {
		got = append(got, c.Title)
	}
	if want := []string{"CPU", "more bytes", "bytes"}; !slices.Equal(got, want) {
		t.Errorf("the order is %q, want %q", got, want)
	}
}

// The last comparison has a share of its own, and the time that the others did not use.
func TestTimeTogether(t *testing.T) {
	for _, c := range []struct{ left, spent, want float64 }{
		{100, 60, 40}, {100, 75, 40}, {100, 20, 80}, {100, 0, 100},
	} {
		d := &Document{spent: seconds(c.spent)}
		if got := d.timeTogether(seconds(c.left)); got != seconds(c.want) {
			t.Errorf("%v of %v spent: %v for all together, want %v", c.spent, c.left, got, c.want)
		}
	}
}
