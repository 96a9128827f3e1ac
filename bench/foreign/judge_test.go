package main

import (
	"testing"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

func TestJudge(t *testing.T) {
	m := &truth.Module{
		Expect: []truth.Place{{At: "a.go:10-12", Rules: "formatting"}, {At: "a.go:20"}, {At: "", Rules: "frequent-gc"}},
		Unsafe: []truth.Place{{At: "a.go:20", Why: "stored"}},
		Safe:   []truth.Place{{At: "a.go:30"}},
	}
	for _, c := range []struct {
		name    string
		finding rules.Finding
		right   bool
		advice  string
	}{
		{"a place by its rule", rules.Finding{File: "a.go", Line: 11, Rule: "formatting"}, true, ""},
		{"a place by another rule", rules.Finding{File: "a.go", Line: 11, Rule: "closure"}, false, ""},
		{"a line outside", rules.Finding{File: "a.go", Line: 13, Rule: "formatting"}, false, ""},
		{"another file", rules.Finding{File: "b.go", Line: 11, Rule: "formatting"}, false, ""},
		{"the line to change", rules.Finding{File: "b.go", Line: 1, Rule: "formatting", Change: &evidence.Frame{File: "a.go", Line: 10}}, true, ""},
		{"a library's line", rules.Finding{File: "b.go", Line: 1, Rule: "formatting", Library: []rules.LibraryLine{{Frame: evidence.Frame{File: "a.go", Line: 10}}}}, true, ""},
		{"the whole program", rules.Finding{Rule: "frequent-gc"}, true, ""},
		{"an arena for what is stored", rules.Finding{File: "a.go", Line: 20, Rule: "short-lived", Remedy: "Begin an arena."}, false, unsafe},
		{"a pool in the example", rules.Finding{File: "a.go", Line: 20, Example: "var p sync.Pool"}, false, unsafe},
		{"an arena that is refused", rules.Finding{File: "a.go", Line: 20, Remedy: "No arena and no pool: it is stored."}, true, ""},
		{"an arena that may not be possible", rules.Finding{File: "a.go", Line: 20, Remedy: "It is not known whether an arena can hold them."}, true, ""},
		{"an arena where it is right", rules.Finding{File: "a.go", Line: 30, Remedy: "Begin an arena."}, false, safe},
		{"an arena at a line that nobody judged", rules.Finding{File: "a.go", Line: 40, Remedy: "Begin an arena."}, false, unjudged},
	} {
		j := judge(m, &outcome{Document: &diagnose.Document{Findings: []rules.Finding{c.finding}}})
		advice := ""
		if len(j.hazards) > 0 {
			advice = j.hazards[0].verdict
		}
		if j.first[0].right != c.right || advice != c.advice {
			t.Errorf("%s: right %v, advice %q; want %v, %q", c.name, j.first[0].right, advice, c.right, c.advice)
		}
	}
}
