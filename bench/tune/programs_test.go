package main

import (
	"slices"
	"testing"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/tune"
)

func TestRight(t *testing.T) {
	dir := t.TempDir()
	if err := data.Unpack("programs.txtar", dir); err != nil {
		t.Fatal(err)
	}
	programs, err := readPrograms(dir)
	if err != nil {
		t.Fatal(err)
	}
	const hotloop, nearlimit = "First change hotloop.go:22 (encode): it", "First change nearlimit.go:29 (keep): it"
	keeps := []rules.Finding{{Rule: "retention", Line: 29}}
	tried := make([]tune.Tried, 1)
	for _, test := range []struct {
		program, answer, mode string
		tried                 []tune.Tried
		findings              []rules.Finding
		want                  string
	}{
		{program: "smallheap", mode: "floor=64MiB"},
		{program: "smallheap", mode: "tags=x", want: `it advises "tags=x"`},
		{program: "smallheap", want: `it advises ""`},
		{program: "hotloop", answer: hotloop},
		{program: "hotloop", answer: "Set GOGC=210 (saves): then hotloop.go:22 ", want: "it does not begin with hotloop.go:22"},
		{program: "hotloop", answer: "First change main.go:1 (f): then hotloop.go:22 ", want: "it does not begin with hotloop.go:22"},
		{program: "nothing", answer: "There is little to gain here."},
		{program: "nothing", answer: "Here there is little to gain.", want: "it does not say so"},
		{program: "nothing", answer: "There is little to gain here.", tried: tried, want: "it went on"},
		{program: "nearlimit", answer: nearlimit, findings: keeps},
		{program: "nearlimit", answer: nearlimit, findings: keeps, mode: "GOGC=200", want: `it advises "GOGC=200"`},
		{program: "nearlimit", answer: nearlimit, want: "it does not find the line"},
		{program: "owncode", answer: "90% of CPU is the program's own work, most of it in owncode.distance."},
		{program: "owncode", answer: "90% of CPU is the program's own work.", want: "it does not say so"},
	} {
		i := slices.IndexFunc(programs, func(p *knownProgram) bool { return p.name == test.program })
		a := &tune.Document{Answer: test.answer, Tried: test.tried, Diagnosis: &diagnose.Document{Findings: test.findings}}
		if test.mode != "" {
			a.Advice = &tune.Advice{Mode: test.mode}
		}
		if got := programs[i].right(a); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
