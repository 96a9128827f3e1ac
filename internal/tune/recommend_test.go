package tune

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// outcome is the result of an experiment for one mode.
type outcome struct {
	mode     string
	decision verdict.Decision
	cpu, rss float64 // ratios
}

// measured is an experiment whose baseline takes 100 MiB.
func measured(all ...outcome) *result.Document {
	doc := &result.Document{Baseline: "default"}
	key := sample.Key{Benchmark: "Work"}
	for _, o := range all {
		doc.Modes = append(doc.Modes, result.Mode{Name: o.mode})
		doc.Summaries = append(doc.Summaries, verdict.Summary{Mode: o.mode, Decision: o.decision, Geomean: map[string]float64{sample.Primary: o.cpu, rss: o.rss}})
		doc.Effects = append(doc.Effects,
			verdict.Effect{Key: key, Mode: o.mode, Metric: sample.Primary, Ratio: o.cpu, Baseline: 0.5, Candidate: 0.5 * o.cpu},
			verdict.Effect{Key: key, Mode: o.mode, Metric: rss, Ratio: o.rss, Baseline: 100 * mib, Candidate: 100 * mib * o.rss})
	}
	return doc
}

var tryable = []candidate{
	{mode: "go1.27.4", family: release},
	{mode: "nogreenteagc", family: collector},
	{mode: "floor=100MiB", family: pacing, part: parts("floor=%.0fMiB", 40, 100)},
	{mode: "GOGC=400", family: pacing, part: parts("GOGC=%.0f", 100, 400)},
}

// parts are the settings between two, as a text of the value.
func parts(text string, from, to float64) func(share float64) string {
	return func(share float64) string { return fmt.Sprintf(text, from+share*(to-from)) }
}

func TestJudgeAndBest(t *testing.T) {
	doc := measured(
		outcome{"go1.27.4", verdict.Adopt, 0.9, 1},
		outcome{"nogreenteagc", verdict.Reject, 1.1, 1},
		outcome{"floor=100MiB", verdict.Adopt, 0.7, 1.2},
		outcome{"GOGC=400", verdict.Adopt, 0.68, 1.9},
	)
	tried := judge(doc, tryable, 150*mib, Prices{})
	if tried[3].Decision != verdict.Reject || !strings.Contains(tried[3].Reason, "more than the 150 MiB allowed") {
		t.Errorf("a mode beyond the memory allowed: %s, %s", tried[3].Decision, tried[3].Reason)
	}
	if m := best(tried, tryable, "", adopted); m != "floor=100MiB" {
		t.Errorf("best is %q", m)
	}
	if m := best(judge(doc, tryable, 0, Prices{}), tryable, "", adopted); m != "floor=100MiB" {
		t.Errorf("best is %q, though another does as well with less memory", m)
	}
	if m := best(tried, tryable, collector, adopted); m != "" {
		t.Errorf("best of a family in which none was adopted is %q", m)
	}
	if got := modesOf(refine(tried, tryable, "floor=100MiB")); got != "go1.27.4+floor=100MiB go1.27.4+floor=70MiB" {
		t.Errorf("refined to %q", got)
	}

	doc.Effects = append(doc.Effects, verdict.Effect{Mode: "floor=100MiB", Metric: "p99-latency-sec", Verdict: verdict.Worse})
	if tried := judge(doc, tryable, 0, Prices{}); tried[2].Decision != verdict.Reject {
		t.Errorf("a mode with a worse p99 is %s", tried[2].Decision)
	}
	doc.Modes[0].Failed = "it does not build"
	doc.Summaries = doc.Summaries[1:]
	if tried := judge(doc, tryable, 0, Prices{}); tried[0].Decision != verdict.Reject || tried[0].Reason != "it does not build" {
		t.Errorf("a mode that failed: %+v", tried[0])
	}
	doc = &result.Document{Failures: []result.Failure{{Mode: "GOGC=400", Reason: "exit status 2"}, {Mode: "GOGC=400", Block: 2, Reason: "another"}}}
	doc.Failures[0].Output = "goleak: found unexpected goroutines:\n[…\n]"
	if tried := judge(doc, tryable[3:], 0, Prices{}); tried[0].Decision != verdict.Reject || tried[0].Reason != "it fails: exit status 2: goleak: found unexpected goroutines:" {
		t.Errorf("a mode of which every run failed: %+v", tried[0])
	}
}

// A mode that breaks the target now and then is not advised, however good its
// other runs are; a benchmark that breaks in the baseline too says nothing of the mode.
func TestModeThatFailsSometimes(t *testing.T) {
	doc := measured(outcome{"GOGC=400", verdict.Adopt, 0.7, 1.9})
	key := sample.Key{Benchmark: "Work"}
	doc.Failures = []result.Failure{{Key: key, Mode: "GOGC=400", Block: 2, Reason: "killed: out of memory"}, {Key: key, Mode: "GOGC=400", Block: 9, Reason: "another"}}
	tried := judge(doc, tryable[3:], 0, Prices{})
	if tried[0].Decision != verdict.Reject || !strings.HasSuffix(tried[0].Reason, "2 of its runs failed where none of the baseline's did: killed: out of memory") {
		t.Errorf("a mode that crashed twice: %s, %s", tried[0].Decision, tried[0].Reason)
	}
	doc.Failures = append(doc.Failures, result.Failure{Key: key, Mode: "default#control", Block: 3, Reason: "killed: out of memory"})
	if tried := judge(doc, tryable[3:], 0, Prices{}); tried[0].Decision != verdict.Adopt {
		t.Errorf("a mode that crashed as the baseline did: %s, %s", tried[0].Decision, tried[0].Reason)
	}
}

// Gains are as JSON can hold them, and those of one run have no interval.
func TestGains(t *testing.T) {
	doc := measured(outcome{"GOGC=400", verdict.Adopt, 0.7, 1.9})
	key := sample.Key{Benchmark: "Work"}
	doc.Effects = append(doc.Effects, verdict.Effect{Key: key, Mode: "GOGC=400", Metric: "B/op", Ratio: math.Inf(1), High: math.Inf(1), Candidate: 8})
	doc.Untimed = []sample.Run{
		{Key: key, Mode: "default", Values: map[string]float64{"live-heap-bytes": 4 * mib, "stw-p99-sec": 0.002}},
		{Key: key, Mode: "GOGC=400", Values: map[string]float64{"live-heap-bytes": 6 * mib}},
	}
	all := gains(doc, "GOGC=400")
	if _, err := json.Marshal(all); err != nil {
		t.Error(err)
	}
	if len(all) != 4 || all[2].High != result.Infinite || all[3] != (Gain{Benchmark: "Work", Metric: "live-heap-bytes", Before: 4 * mib, After: 6 * mib, Ratio: 1.5}) {
		t.Errorf("%+v", all)
	}
}

func TestConclude(t *testing.T) {
	d := &Document{
		Diagnosis: &diagnose.Document{Findings: []rules.Finding{
			{Rule: "frequent-gc", Title: "the collector runs too often", CPU: evidence.Range{High: 0.6}},
			{Title: "many short-lived objects", File: "tree.go", Line: 7, CPU: evidence.Range{High: 0.4}},
		}},
		Modes: measured(outcome{"floor=100MiB", verdict.Adopt, 0.7, 1.2}),
	}
	d.Tried = judge(d.Modes, tryable[2:3], 0, Prices{})
	d.conclude(Plan{}, tryable[2:3], "floor=100MiB")
	want := "Run with floor=100MiB: -30.0% of CPU, +20.0% of peak RSS. Next, change tree.go:7 (many short-lived objects): it could save up to 40% of CPU."
	if d.Answer != want {
		t.Errorf("answer\n%s, want\n%s", d.Answer, want)
	}
	if len(d.Advice.Gains) != 2 || !strings.Contains(d.Advice.Lines["Go"], "MinHeap: 100 << 20") {
		t.Errorf("advice %+v", d.Advice)
	}

	d.Diagnosis.Findings[1].CPU.Low = 0.02
	d.conclude(Plan{}, tryable[2:3], "floor=100MiB")
	if want := "up to 40% of CPU, or as little as 2.0%."; !strings.HasSuffix(d.Answer, want) {
		t.Errorf("answer\n%s, want at the end\n%s", d.Answer, want)
	}

	d = &Document{Diagnosis: &diagnose.Document{}, Modes: measured(outcome{"GOGC=400", verdict.Undecided, 0.97, 1})}
	d.Tried = judge(d.Modes, tryable[3:], 0, Prices{})
	d.conclude(Plan{}, tryable[3:], "")
	if !strings.Contains(d.Answer, "1 of 1 is inconclusive: give a larger -budget") || d.Advice != nil {
		t.Errorf("answer %q", d.Answer)
	}
	d.Modes.Stopped, d.Modes.Summaries[0].Needed = experiment.OutOfTime, &verdict.Forecast{Blocks: 370, Seconds: 370 * 8.4}
	d.conclude(Plan{OutDir: "out"}, tryable[3:], "")
	if !strings.Contains(d.Answer, "about 370 more blocks (about 52m) would decide about GOGC=400; continue with: heapwright tune -resume -o out -budget 52m0s") {
		t.Errorf("370 blocks of 8.4 seconds are said to take %q", d.Answer)
	}
	d.Diagnosis.Findings = []rules.Finding{{Title: "a buffer for every call", File: "hot.go", Line: 24, CPU: evidence.Range{High: 1}}}
	d.conclude(Plan{}, tryable[3:], "")
	if !strings.HasPrefix(d.Answer, "First change hot.go:24") || !strings.Contains(d.Answer, "No mode is proven better") {
		t.Errorf("where nothing but code is left to change, the answer is %q", d.Answer)
	}
	d.Diagnosis.Findings[0].File = "hot_test.go"
	d.conclude(Plan{}, tryable[3:], "")
	if !strings.HasPrefix(d.Answer, "No mode is proven better") || !strings.Contains(d.Answer, "Only lines in tests stand out") {
		t.Errorf("where only a benchmark allocates, the answer is %q", d.Answer)
	}
	for _, needed := range []verdict.Forecast{{Blocks: verdict.Hopeless}, {Blocks: 9400, Seconds: 9400 * 16.7}} {
		d.Modes.Summaries[0].Needed = &needed
		d.conclude(Plan{}, tryable[3:], "")
		if !strings.Contains(d.Answer, "make the runs longer") {
			t.Errorf("where %+v would decide, more time is asked for: %q", needed, d.Answer)
		}
	}
}

// More time goes to the last comparison alone. If a mode looked better in the first one,
// that does not help it.
func TestModeOfTheFirstComparisonLooksBest(t *testing.T) {
	first := measured(outcome{"nogreenteagc", verdict.Undecided, 0.85, 1}, outcome{"GOGC=400", verdict.Undecided, 0.92, 1})
	last := measured(outcome{"nogreenteagc", verdict.Undecided, 1.09, 1})
	first.Summaries[1].Needed, last.Summaries[0].Needed = &verdict.Forecast{Blocks: 7}, &verdict.Forecast{Blocks: 110, Seconds: 370}
	all := []candidate{tryable[1], tryable[3]}
	d := &Document{Diagnosis: &diagnose.Document{}, Modes: first, Final: last, Tried: judge(first, all, 0, Prices{})}
	d.settle(judge(last, all[:1], 0, Prices{}), all[:1], all)
	d.conclude(Plan{OutDir: "out"}, all, "")
	if !strings.Contains(d.Answer, "2 of 2 are inconclusive: GOGC=400 looks best so far, but the time was too short for a second comparison of it; run tune again with a larger -budget") {
		t.Error(d.Answer)
	}
	last.Summaries[0].Geomean[sample.Primary] = 0.95
	d.settle(judge(last, all[:1], 0, Prices{}), all[:1], all)
	d.conclude(Plan{OutDir: "out"}, all, "")
	if !strings.Contains(d.Answer, "would decide about nogreenteagc; continue with") {
		t.Error(d.Answer)
	}
}

func TestSavings(t *testing.T) {
	doc := measured(outcome{"GOGC=400", verdict.Adopt, 0.6, 1.5})
	doc.Runs = []sample.Run{{Key: sample.Key{Benchmark: "Work"}, Mode: "default", Values: map[string]float64{"sec/op": 0.25}}}
	// Two CPUs are busy, 0.8 of which are saved; 50 MiB more memory is taken.
	s := Prices{CPU: 30, GiB: 4, Instances: 10}.savings(doc, "GOGC=400")
	if s == nil || s.CPU != 240 || s.Memory > -1.9 || s.Memory < -2 || s.Before < 603.8 || s.Before > 604 {
		t.Errorf("savings %+v", s)
	}
	if s := (Prices{CPU: 30}).savings(doc, "GOGC=400"); s != nil {
		t.Errorf("savings without instances: %+v", s)
	}
	// A request takes 0.5 CPU-seconds, and four a second are answered.
	doc.Runs[0].Values = map[string]float64{"requests/s": 4}
	if s := (Prices{CPU: 30, Instances: 10}).savings(doc, "GOGC=400"); s == nil || s.CPU != 240 {
		t.Errorf("savings of a server %+v", s)
	}
	doc.Runs = nil
	d := &Document{Diagnosis: &diagnose.Document{}, Modes: doc}
	d.Tried = judge(doc, tryable[3:], 0, Prices{})
	d.conclude(Plan{Prices: Prices{CPU: 30, Instances: 10}}, tryable[3:], "GOGC=400")
	if d.Savings != nil || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "is not known") {
		t.Errorf("savings of what is not known: %+v, notes %q", d.Savings, d.Notes)
	}
}
