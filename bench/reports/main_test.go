package main

import (
	"testing"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/survey"
)

// Without clean services, the reports are asked about all the same, and the page is written.
func TestTimes(t *testing.T) {
	for _, test := range []struct{ clean, report, service int }{{0, 1, 0}, {1, 1, 1}, {3, 1, 3}} {
		s := settings{Survey: &survey.Survey{Again: true, Out: t.TempDir()}, clean: test.clean, jobs: 1}
		problem, service := &report{Name: "problem", Truth: &truth{}}, &report{Name: "service", Truth: &truth{Clean: true}}
		var all []*report
		for _, c := range []*report{problem, service} {
			if s.times(c) > 0 {
				all = append(all, c)
			}
		}
		s.each(t.Context(), all) // no answer is kept, so each is wrong
		if len(problem.Answers) != test.report || len(service.Answers) != test.service {
			t.Errorf("-clean %d: %d and %d answers", test.clean, len(problem.Answers), len(service.Answers))
		}
		newResults(all).page(page.Mark{}) // panics if it cannot be written
	}
}
