package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// TestFiguresCanBeMeasured holds every figure against the command that is to
// measure it: the experiment is there, and compares the mode.
func TestFiguresCanBeMeasured(t *testing.T) {
	t.Chdir("../..") // where the commands are run
	for _, c := range claims {
		if (c.Cannot == "") != (len(c.figures) > 0) {
			t.Errorf("%s: it needs figures, or a reason why there are none", c.Title)
		}
		for _, f := range slices.Concat(c.figures, c.beside) {
			for _, from := range f.from {
				e, ok := named(from)
				if !ok {
					t.Errorf("%s: no experiment %s", c.Title, from)
					continue
				}
				modes, err := e.modes()
				if err != nil {
					t.Fatalf("%s: %v", from, err)
				}
				want := f.modeIn(&result.Document{Baseline: modes[0].Name})
				if f.of == "" && !slices.ContainsFunc(modes[1:], func(m mode.Mode) bool { return m.Name == want }) {
					t.Errorf("%s, %s: %s does not compare %s", c.Title, f.what, from, want)
				}
			}
		}
	}
}

func TestJudge(t *testing.T) {
	gain := figure{low: 0.7, high: 0.7}
	loss := figure{low: 1.4, high: 1.4}
	none := figure{low: 1, high: 1}
	little := figure{low: 1, high: 1.01}
	collecting := figure{low: 0.5, high: 0.9}
	share := figure{low: 0.72, high: 0.72, of: "Request"}
	tests := []struct {
		name string
		f    figure
		m    measurement
		want outcome
	}{
		{"a gain that is reached", gain, measurement{ratio: 0.7, low: 0.65, high: 0.75, verdict: verdict.Better}, holds},
		{"a larger gain", gain, measurement{ratio: 0.5, low: 0.45, high: 0.55, verdict: verdict.Better}, holds},
		{"a smaller gain", gain, measurement{ratio: 0.9, low: 0.85, high: 0.95, verdict: verdict.Better}, inPart},
		{"a loss instead", gain, measurement{ratio: 1.1, low: 1.05, high: 1.15, verdict: verdict.Worse}, fails},
		{"no change instead", gain, measurement{ratio: 1, low: 0.99, high: 1.01, verdict: verdict.Same}, fails},
		{"too wide", gain, measurement{ratio: 0.9, low: 0.6, high: 1.2, verdict: verdict.Inconclusive}, undecided},
		{"a loss that is reached", loss, measurement{ratio: 1.5, low: 1.35, high: 1.6, verdict: verdict.Worse}, holds},
		{"a smaller loss", loss, measurement{ratio: 1.1, low: 1.05, high: 1.15, verdict: verdict.Worse}, inPart},
		{"no cost", none, measurement{ratio: 1, low: 0.99, high: 1.01, verdict: verdict.Same}, holds},
		{"a cost where none was published", none, measurement{ratio: 1.3, low: 1.2, high: 1.4, verdict: verdict.Worse}, fails},
		{"a cost that may be none", none, measurement{ratio: 1.1, low: 0.8, high: 1.4, verdict: verdict.Inconclusive}, undecided},
		{"one run of each", gain, measurement{ratio: 0.69}, holds},
		{"less than was said at most", little, measurement{ratio: 1, low: 0.99, high: 1.008, verdict: verdict.Same}, holds},
		{"a gain where at most a cost was said", little, measurement{ratio: 0.97, low: 0.96, high: 0.98, verdict: verdict.Better}, holds},
		{"more than was said at most", little, measurement{ratio: 1.03, low: 1.02, high: 1.04, verdict: verdict.Worse}, fails},
		{"perhaps more than was said at most", little, measurement{ratio: 1.02, low: 0.99, high: 1.05, verdict: verdict.Inconclusive}, undecided},
		{"one run of each beside a range", collecting, measurement{ratio: 0.92}, inPart},
		{"one run of each of a time", figure{low: 0.7, high: 0.7, metric: "stw-p99-sec"}, measurement{ratio: 0.5}, single},
		{"one run of each within a range", collecting, measurement{ratio: 0.9}, holds},
		{"a share", share, measurement{ratio: 0.74}, holds},
		{"another share", share, measurement{ratio: 0.9}, fails},
	}
	for _, test := range tests {
		if got := test.f.judge(test.m); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestTogether(t *testing.T) {
	for _, test := range []struct {
		all  []outcome
		want outcome
	}{
		{[]outcome{unmeasured, unmeasured}, unmeasured},
		{[]outcome{holds, unmeasured}, "not measured wholly yet"},
		{[]outcome{absent, absent}, absent},
		{[]outcome{absent, fails}, fails},
		{[]outcome{absent, undecided}, undecided},
		{[]outcome{absent, holds}, inPart},
		{[]outcome{holds, holds}, holds},
		{[]outcome{holds, fails}, inPart},
		{[]outcome{inPart, undecided}, inPart},
		{[]outcome{undecided, fails}, undecided},
		{[]outcome{fails, fails}, fails},
		{[]outcome{single, fails}, fails},
		{[]outcome{single, single}, single},
	} {
		if got := together(test.all); got != test.want {
			t.Errorf("%q together are %q, want %q", test.all, got, test.want)
		}
	}
}

const go120 = "go1.20.14"

// someReport is one of an experiment that found a gain of 40% in CPU.
func someReport() *result.Document {
	key := sample.Key{Benchmark: "Tree"}
	return &result.Document{
		Baseline: go120,
		Modes:    []result.Mode{{Name: go120}, {Name: go120 + "+arenas", Identity: mode.Identity{GoVersion: go120}}},
		Effects: []verdict.Effect{
			{Key: key, Mode: go120 + "+arenas", Metric: cpu, Ratio: 0.6, Low: 0.55, High: 0.65, Verdict: verdict.Better, Baseline: 2, Candidate: 1},
			{Key: key, Mode: go120 + "+arenas", Metric: rss, Ratio: 1.2, Low: 1.1, High: 1.3, Verdict: verdict.Worse, Baseline: 1 << 20, Candidate: 3 << 19},
		},
		Untimed: []sample.Run{
			{Key: key, Mode: go120, Values: map[string]float64{"gc-cycles/op": 20}},
			{Key: key, Mode: go120 + "+arenas", Values: map[string]float64{"gc-cycles/op": 10}},
		},
	}
}

func TestRead(t *testing.T) {
	f := figure{mode: "arenas", metric: "gc-cycles/op"}
	if m, ok := f.read(someReport()); !ok || m.ratio != 0.5 || m.low != 0 {
		t.Errorf("10 cycles instead of 20 are %+v", m)
	}
	f.metric, f.inverse = cpu, true
	if m, ok := f.read(someReport()); !ok || m.ratio < 1.66 || m.ratio > 1.67 || m.low < 1.53 || m.low > 1.54 || m.before != 1 || m.after != 2 {
		t.Errorf("the other way round a gain of 40%% is %+v", m)
	}
	if _, ok := (figure{mode: "greenteagc", metric: cpu}).read(someReport()); ok {
		t.Error("a mode is read that is not there")
	}
}

func TestRenderWithWhatIsThere(t *testing.T) {
	made := render(claims, reports{"trees-plain-go1.20": someReport()})
	for _, want := range []string{
		"| [Go's arenas: binary trees](#gos-arenas-binary-trees) | not measured wholly yet |",
		"| CPU | 1.20.14 | -54.4% | -40.0% | [-45.0%, -35.0%] | 2 s → 1 s | holds in part | trees-plain-go1.20 |",
		"| peak RSS | 1.20.14 | -27.6% | +20.0% | [+10.0%, +30.0%] | 1 MiB → 1.50 MiB | does not hold | trees-plain-go1.20 |",
		"| – | – | `heapwright compare -budget 15m0s -modes default,tags=cured,floor=128MiB -main ",
		"| A leaky gateway", "not measured yet", "**Cannot be tested**: ",
	} {
		if !strings.Contains(strings.ReplaceAll(made, "| [A leaky", "| A leaky"), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestPageIsOfTheReports holds docs/results/claims.md against the reports.
func TestPageIsOfTheReports(t *testing.T) {
	t.Chdir("../..")
	reports, err := (&settings{reports: "docs/results/claims"}).load()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/results/claims.md")
	if err != nil {
		t.Fatal(err)
	}
	if render(claims, reports) != string(page) {
		t.Error("docs/results/claims.md is not what its reports give; make it anew with: go -C bench run ./claims")
	}
}
