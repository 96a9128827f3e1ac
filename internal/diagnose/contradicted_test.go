package diagnose

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

// A setting cannot promise a saving with confidence that a run without collections did
// not have.
func TestMeasuredRunContradictsSetting(t *testing.T) {
	finding := func(rule string) rules.Finding {
		return rules.Finding{Rule: rule, CPU: evidence.Range{Low: 0.07, High: 0.61}, Confidence: evidence.High}
	}
	for _, test := range []struct {
		rule     string
		measured *Control
		want     evidence.Range
		sure     evidence.Confidence
	}{
		{"frequent-gc", &Control{Low: -0.14, High: 0.037}, evidence.Range{High: 0.61}, evidence.Low},
		{"frequent-gc", &Control{Low: 0.01, High: 0.037}, evidence.Range{Low: 0.01, High: 0.61}, evidence.Low},
		{"frequent-gc", &Control{Low: 0.1, High: 0.3}, evidence.Range{Low: 0.07, High: 0.61}, evidence.High},
		{"frequent-gc", nil, evidence.Range{Low: 0.07, High: 0.61}, evidence.High},
		{"short-lived", &Control{Low: -0.14, High: 0.037}, evidence.Range{Low: 0.07, High: 0.61}, evidence.High},
	} {
		d := &Document{CPU: &Spending{Measured: test.measured}, Findings: []rules.Finding{finding(test.rule)}}
		d.contradict()
		if f := d.Findings[0]; f.CPU != test.want || f.Confidence != test.sure || (len(f.Evidence) == 1) != (test.sure == evidence.Low) {
			t.Errorf("%s with %+v: saves %v, confidence %s, evidence %v", test.rule, test.measured, f.CPU, f.Confidence, f.Evidence)
		}
	}
}

// A contradicted setting ranks behind the lines of the program, and before its tests.
func TestContradictedRanksLast(t *testing.T) {
	d := &Document{CPU: &Spending{Measured: &Control{High: 0.01}}, Findings: []rules.Finding{
		{Rule: "frequent-gc", CPU: evidence.Range{Low: 0.1, High: 0.6}},
		{Rule: "formatting", File: "a.go", Line: 1, CPU: evidence.Range{Low: 0.1, High: 0.2}},
		{Rule: "formatting", File: "a_test.go", Line: 1},
	}}
	d.contradict()
	if f := d.Findings; len(f) != 3 || f[0].File != "a.go" || f[1].Rule != "frequent-gc" {
		t.Errorf("%+v", f)
	}
}
