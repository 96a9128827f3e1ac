package tune

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

func TestFinalists(t *testing.T) {
	tests := []struct {
		name string
		all  []outcome
		want string
	}{
		{"what is proven is refined", []outcome{
			{"go1.27.4", verdict.Adopt, 0.9, 1}, {"nogreenteagc", verdict.Reject, 1.1, 1},
			{"floor=100MiB", verdict.Adopt, 0.7, 1.2}, {"GOGC=400", verdict.Undecided, 0.6, 1.9},
		}, "floor=100MiB go1.27.4+floor=100MiB go1.27.4+floor=70MiB"},
		{"the best two families go on where nothing is", []outcome{
			{"go1.27.4", verdict.Undecided, 0.96, 1}, {"nogreenteagc", verdict.Undecided, 0.95, 1},
			{"floor=100MiB", verdict.Undecided, 0.8, 1.2}, {"GOGC=400", verdict.Undecided, 0.75, 1.9},
		}, "GOGC=400 nogreenteagc"},
		{"what is decided does not", []outcome{
			{"go1.27.4", verdict.Undecided, 1.04, 1}, {"nogreenteagc", verdict.Neutral, 0.9, 1},
			{"floor=100MiB", verdict.Reject, 0.8, 1.2}, {"GOGC=400", verdict.Reject, 0.98, 1.9},
		}, "go1.27.4"},
		{"what looks worse goes on where nothing looks better", []outcome{
			{"go1.27.4", verdict.Undecided, 1.04, 1}, {"nogreenteagc", verdict.Undecided, 1.01, 1},
			{"floor=100MiB", verdict.Reject, 0.8, 1.2}, {"GOGC=400", verdict.Undecided, 0.98, 1.9},
		}, "GOGC=400 nogreenteagc"},
	}
	for _, test := range tests {
		tried := judge(measured(test.all...), tryable, 0, Prices{})
		if got := modesOf(finalists(tried, tryable)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// If only its memory rules a mode out, as much of it as fits is tried; if it is worse
// in another way, or its kind has a better one, nothing. Of 90 MiB above the baseline,
// 50 are allowed.
func TestPartThatFits(t *testing.T) {
	for _, test := range []struct {
		name string
		all  []outcome
		want string
	}{
		{"alone", []outcome{{"floor=100MiB", verdict.Undecided, 0.96, 1.9}, {"GOGC=400", verdict.Adopt, 0.7, 1.9}}, "GOGC=250"},
		{"beside another kind", []outcome{{"go1.27.4", verdict.Adopt, 0.9, 1}, {"GOGC=400", verdict.Adopt, 0.7, 1.9}}, "go1.27.4 GOGC=250"},
		{"beside one that looks good", []outcome{{"floor=100MiB", verdict.Undecided, 0.8, 1.2}, {"GOGC=400", verdict.Adopt, 0.7, 1.9}}, "floor=100MiB"},
		{"worse anyway", []outcome{{"GOGC=400", verdict.Reject, 1.1, 1.9}}, ""},
		{"just above", []outcome{{"GOGC=400", verdict.Adopt, 0.7, 1.55}}, "GOGC=340"},
		{"far above", []outcome{{"GOGC=400", verdict.Adopt, 0.7, 9}}, ""},
	} {
		var all []candidate
		for _, o := range test.all {
			i := slices.IndexFunc(tryable, func(c candidate) bool { return c.mode == o.mode })
			all = append(all, tryable[i])
		}
		tried := judge(measured(test.all...), all, 150*mib, Prices{})
		if got := modesOf(finalists(tried, all)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// ends gives the CPU effect of a mode its interval.
func ends(mode string, low, high float64, v verdict.Verdict) verdict.Effect {
	return verdict.Effect{Key: sample.Key{Benchmark: "Work"}, Mode: mode, Metric: sample.Primary, Low: low, High: high, Ratio: (low + high) / 2, Verdict: v}
}

func TestOpenAsksOnlyWhatMatters(t *testing.T) {
	effects := []verdict.Effect{
		ends("a", 0.9, 1.1, verdict.Inconclusive),
		ends("b", 0.98, 1.1, verdict.Inconclusive), // saves 2% at most
		ends("c", 0.7, 0.8, verdict.Better),
	}
	if n := open(effects); n != 1 {
		t.Errorf("%d questions are open, want 1", n)
	}
	doc := measured(outcome{"GOGC=400", verdict.Undecided, 1, 1})
	doc.Effects = append(doc.Effects[1:], ends("GOGC=400", 0.98, 1.1, verdict.Inconclusive))
	if tried := judge(doc, tryable[3:], 0, Prices{}); tried[0].Decision != verdict.Neutral {
		t.Errorf("a mode that saves 2%% at most is %s", tried[0].Decision)
	}
	if tried := judge(doc, tryable[3:], 50*mib, Prices{}); tried[0].Decision != verdict.Reject {
		t.Errorf("an undecided mode beyond the memory allowed is %s", tried[0].Decision)
	}
}

func TestCodeFirst(t *testing.T) {
	conclude := func(f rules.Finding) *Document {
		f.File, f.Line, f.Title = "a.go", 3, "x"
		d := &Document{
			Diagnosis: &diagnose.Document{Findings: []rules.Finding{f}, CPU: &diagnose.Spending{Ceiling: evidence.Range{High: 0.5}}},
			Modes:     measured(outcome{"GOGC=400", verdict.Adopt, 0.8, 1}),
		}
		d.Tried = judge(d.Modes, tryable[3:], 0, Prices{})
		d.conclude(Plan{}, tryable[3:], "GOGC=400")
		return d
	}
	d := conclude(rules.Finding{CPU: evidence.Range{Low: 0.4, High: 0.6}})
	if !strings.HasPrefix(d.Answer, "First change a.go:3 (x)") {
		t.Errorf("a line that saves more than the mode does not stand first: %s", d.Answer)
	}
	// 0.4 - 0.2 and 0.5 - 0.2 of the CPU time before, when 0.8 is left.
	if got := d.Code[0].Saves; got.Low < 0.249 || got.Low > 0.251 || got.High < 0.374 || got.High > 0.376 {
		t.Errorf("on top of the mode it saves %v", got)
	}
	if d := conclude(rules.Finding{CPU: evidence.Range{Low: 0.1, High: 0.6}}); !strings.HasPrefix(d.Answer, "Run with") {
		t.Errorf("a line that may save less than the mode stands first: %s", d.Answer)
	}
	if d := conclude(rules.Finding{CPU: evidence.Range{Low: 0.4, High: 0.6}, Confidence: evidence.Low}); !strings.Contains(d.Answer, "with low confidence") {
		t.Errorf("the answer hides that few samples show its line: %s", d.Answer)
	}
	if d := conclude(rules.Finding{Memory: evidence.Range{Low: 0.5, High: 1}}); !strings.HasPrefix(d.Answer, "First change a.go") || !strings.Contains(d.Answer, "100% of the live heap") {
		t.Errorf("a line that keeps half of the heap does not stand first: %s", d.Answer)
	}
}

func TestNear(t *testing.T) {
	if got := near(filepath.Join(t.TempDir(), "beside", "load.go")); got != "beside/load.go" {
		t.Errorf("a file outside the module is named %s", got)
	}
	if got := near("internal/codec/read.go"); got != "internal/codec/read.go" {
		t.Errorf("a file of the module is named %s", got)
	}
}

// A mode that the second comparison leaves open is decided by the first one; a mode
// that it refutes leaves the next best.
func TestSettle(t *testing.T) {
	all := tryable[2:]
	for _, test := range []struct {
		name, want string
		again      verdict.Decision
		inFinal    bool
	}{
		{"proven again", "floor=100MiB", verdict.Adopt, true},
		{"left open", "floor=100MiB", verdict.Undecided, false},
		{"refuted", "GOGC=400", verdict.Reject, false},
		{"makes no difference", "GOGC=400", verdict.Neutral, false},
	} {
		d := &Document{
			Modes: measured(outcome{"floor=100MiB", verdict.Adopt, 0.7, 1.2}, outcome{"GOGC=400", verdict.Adopt, 0.8, 1.9}),
			Final: measured(outcome{"floor=100MiB", test.again, 0.72, 1.2}, outcome{"floor=70MiB", verdict.Undecided, 0.9, 1.1}),
		}
		d.Tried = judge(d.Modes, all, 0, Prices{})
		last := finalists(d.Tried, all)
		got := d.settle(judge(d.Final, last, 0, Prices{}), last, all)
		if got != test.want {
			t.Errorf("%s: %q is best, want %q", test.name, got, test.want)
		}
		if inFinal := d.provenBy(got) == d.Final; inFinal != test.inFinal {
			t.Errorf("%s: proven by the second comparison: %v", test.name, inFinal)
		}
	}
}

func TestRetentionIsWorthChanging(t *testing.T) {
	live := 64.0 * mib
	d := &diagnose.Document{
		CPU:      &diagnose.Spending{Ceiling: evidence.Range{High: 0.02}},
		Memory:   diagnose.Holding{Live: &live},
		Findings: []rules.Finding{{Memory: evidence.Range{Low: 0.5, High: 1}}},
	}
	if prospectOf(d).nothingToGain() {
		t.Error("freeing half of a live heap of 64 MiB counts as nothing to gain")
	}
}
