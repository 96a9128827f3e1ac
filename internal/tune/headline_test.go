package tune

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// The answer names the finding that the page lists first, whatever its confidence, or
// says why it names none.
func TestHeadline(t *testing.T) {
	saves := func(low, high float64) evidence.Range { return evidence.Range{Low: low, High: high} }
	hedged := rules.Finding{File: "lexer.go", Line: 9, Title: "strings are joined", CPU: saves(0, 0.2), Confidence: evidence.Low}
	sure := rules.Finding{File: "parser.go", Line: 31, Title: "a buffer for every call", CPU: saves(0.04, 0.1), Confidence: evidence.High}
	tiny := rules.Finding{File: "rule.go", Line: 5, Title: "a closure is made", CPU: saves(0, 0.007), Confidence: evidence.High}
	tested := rules.Finding{File: "hot_test.go", Line: 24, Title: "a buffer for every call", CPU: saves(0.2, 0.4)}
	setting := rules.Finding{Rule: "frequent-gc", Title: "the collector runs too often", CPU: saves(0.1, 0.5)}
	whole := rules.Finding{Title: "memory grows, allocated by libraries", Memory: saves(0.3, 0.6)}
	for _, test := range []struct {
		name     string
		own      string
		findings []rules.Finding
		want     string // with M for the sentence on the modes
	}{
		{"none", "", nil, "M. No line of code stands out."},
		{"a hedged one first", "", []rules.Finding{hedged, sure}, "First change lexer.go:9 (strings are joined): it could save up to 20% of CPU, with low confidence. M."},
		{"a hedged one alone", "", []rules.Finding{hedged, tiny}, "M. No change of the code is sure to save anything: the first finding, lexer.go:9 (strings are joined), could save up to 20% of CPU, or nothing."},
		{"a setting is a mode", "", []rules.Finding{setting, sure}, "First change parser.go:31 (a buffer for every call): it could save up to 10% of CPU. M."},
		{"too small", "", []rules.Finding{tiny}, "M. No line of code stands out: the first finding, rule.go:5 (a closure is made), could save at most 0.7% of CPU."},
		{"too small beside own work", "94% is own work", []rules.Finding{tiny}, "94% is own work. M. No line of code stands out: the first finding, rule.go:5 (a closure is made), could save at most 0.7% of CPU."},
		{"hedged beside own work", "85% is own work", []rules.Finding{hedged}, "85% is own work. M. No change of the code is sure to save anything: the first finding, lexer.go:9 (strings are joined), could save up to 20% of CPU, or nothing."},
		{"sure beside own work", "85% is own work", []rules.Finding{sure}, "First change parser.go:31 (a buffer for every call): it could save up to 10% of CPU. M. 85% is own work."},
		{"tests alone", "", []rules.Finding{tested}, "M. Only lines in tests stand out, and tests are not part of the program."},
		{"tests first", "", []rules.Finding{tested, sure}, "First change parser.go:31 (a buffer for every call): it could save up to 10% of CPU. M."},
		{"no line", "", []rules.Finding{whole}, "First look into this: memory grows, allocated by libraries: it could save up to 0% of CPU and 60% of the live heap. M."},
	} {
		d := &Document{Own: test.own, Diagnosis: &diagnose.Document{Findings: test.findings}}
		if got := d.headline("M", 0, false); got != test.want {
			t.Errorf("%s:\n%s, want\n%s", test.name, got, test.want)
		}
	}
	d := &Document{Own: "94% is own work", Diagnosis: &diagnose.Document{Findings: []rules.Finding{tiny}}}
	if got := d.headline("M", 0.1, true); !strings.HasPrefix(got, "M. No line") || !strings.HasSuffix(got, "94% is own work.") {
		t.Errorf("beside a proven mode: %s", got)
	}
	upgraded := sure
	upgraded.Library = []rules.LibraryLine{{Module: "example.com/lib"}}
	d = &Document{
		Advice:    &Advice{Mode: "dep=example.com/lib@v1.2.0"},
		Diagnosis: &diagnose.Document{Findings: []rules.Finding{upgraded, hedged}},
	}
	if got := d.headline("M", 0.1, true); !strings.HasPrefix(got, "M. No change of the code is sure") {
		t.Errorf("beside a finding that the advised upgrade fixes: %s", got)
	}
}

// A mode that only the memory allowed rules out is no mode without a gain: the answer
// says what it saves and which limit it needs.
func TestTooLargeForTheLimit(t *testing.T) {
	d := &Document{Diagnosis: &diagnose.Document{}, Modes: measured(
		outcome{"nogreenteagc", verdict.Reject, 1.1, 1},
		outcome{"floor=100MiB", verdict.Adopt, 0.82, 1.6},
		outcome{"GOGC=400", verdict.Adopt, 0.9, 1.9})}
	d.Tried = judge(d.Modes, tryable[1:], 150*mib, Prices{})
	d.conclude(Plan{}, tryable[1:], "")
	want := "No mode that fits is better; floor=100MiB saves 18.0% of CPU, but takes 160 MiB of peak RSS where 150 MiB is allowed: to adopt it, give -max-rss 176MiB."
	if !strings.HasPrefix(d.Answer, want) {
		t.Errorf("answer\n%s, want first\n%s", d.Answer, want)
	}
}

// Every benchmark is accounted for: profiled, compared, failed or left out.
func TestAccounted(t *testing.T) {
	keys := func(names ...string) (all []sample.Key) {
		for _, n := range names {
			all = append(all, sample.Key{Benchmark: n})
		}
		return all
	}
	for _, test := range []struct {
		d    diagnose.Document
		want string
	}{
		{diagnose.Document{Recorded: keys("A", "B")}, ""},
		{diagnose.Document{Recorded: keys("A"), Failed: keys("B")}, "Of 2 benchmarks, 1 were profiled; 1 failed (B)"},
		{diagnose.Document{Recorded: keys("A"), Failed: keys("B", "C", "D", "E"), LeftOut: keys("F")},
			"Of 6 benchmarks, 1 were profiled; 4 failed (B, C, D, …); 1 did not fit into the budget: give a larger -budget, or choose with -bench"},
	} {
		if got := (&Document{Diagnosis: &test.d}).accounted(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	d := &Document{Diagnosis: &diagnose.Document{Recorded: keys("A", "B", "C")}, Modes: &result.Document{Benchmarks: make([]result.Benchmark, 1)}}
	if got, want := d.accounted(), "Of 3 benchmarks, 3 were profiled and the modes compared on 1, those that allocate fastest; 2 did not fit into the budget: give a larger -budget, or choose with -bench"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
