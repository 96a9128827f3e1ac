package main

import (
	"regexp"
	"testing"

	"github.com/heapwright/heapwright/bench/internal/survey"
)

const said = `2 findings, ranked by the most that each could save:

 1. goroutines pile up · goroutine-leak
    main.go:7 in main.leak
      │ strconv.Itoa(buffered)
    path      main.leak ← main.main
    escapes   ch: captured by a cancel func
    remedy    Receive the result, or give the channel
              room for one.
    example   of other code:
      │ defer cancel()
    risk      Low. Do not cancel.

 2. formatting on a hot path · formatting
    main.go:9 in main.name
    remedy    Use strconv.

WHERE CPU GOES
 3. own code
`

func TestJudge(t *testing.T) {
	ask := func(place, cause, remedy, misleading string) *truth {
		t := &truth{place: []*regexp.Regexp{regexp.MustCompile(place)}}
		t.Right.Cause.Regexp, t.Right.Remedy.Regexp = regexp.MustCompile(cause), regexp.MustCompile(remedy)
		if misleading != "" {
			t.Wrong.Text.Regexp = regexp.MustCompile(misleading)
		}
		return t
	}
	for _, c := range []struct {
		truth *truth
		text  string
		want  verdict
		why   string
	}{
		{ask(`main\.go:7\b`, "goroutine", "channel room", "LRU"), said, right, ""},
		{ask(`main\.go:\d`, "goroutine", "channel room", ""), said, right, ""}, // the second finding has only the place
		{ask(`main\.go:7\b`, "goroutine", "channel room", "strconv"), said, partly, "misleading: strconv"},
		{ask(`main\.go:7\b`, "main", "cancel", ""), said, partly, "without the remedy"},
		{ask(`main\.go:7\b`, `main\.go`, "buffered", ""), said, wrong, noMatch},
		{ask(`main\.go:7\b`, "goroutine", "channel room", "buffered|cancel"), said, right, ""},
		{ask(`main\.go:7\b`, "mutex", "strconv", ""), said, wrong, noMatch},
		{ask(`main\.go:7\b`, "goroutine", "channel", ""), "no findings\n", wrong, "no findings"},
		{&truth{Clean: true}, said, wrong, "1. goroutines pile up · goroutine-leak"},
		{&truth{Clean: true}, " 1. a map grows from nothing · map-size\n", right, ""},
		{&truth{Clean: true}, "", right, ""},
	} {
		if got := c.truth.judge(c.text); got.Verdict != c.want || got.why != c.why {
			t.Errorf("%v: %s, %q; want %s, %q", c.truth.place, got.Verdict, got.why, c.want, c.why)
		}
	}
}

// The truth of every program can be read, and names lines that exist.
func TestTruths(t *testing.T) {
	s := settings{Survey: &survey.Survey{Out: t.TempDir()}}
	all, err := s.cases("own.txtar", regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	clean, links := 0, regexp.MustCompile(`^[\w.-]+/[\w.-]+#\d+$`)
	for _, c := range all {
		if c.Truth.Clean {
			clean++
			continue
		}
		if !links.MatchString(c.Truth.Report) || c.Truth.Title == "" || c.Truth.Kind == "" || c.Truth.Cause == "" || asked[c.Truth.How] == "" {
			t.Errorf("%s: its truth is incomplete: %+v", c.Name, *c.Truth)
		}
		if c.Truth.place == nil || c.Truth.Right.Cause.Regexp == nil || c.Truth.Right.Remedy.Regexp == nil || c.Truth.Wrong.Text.Regexp == nil {
			t.Errorf("%s: its truth lacks a pattern", c.Name)
		}
	}
	if len(all)-clean != 25 || clean != 5 {
		t.Errorf("%d reports and %d clean services, want 25 and 5", len(all)-clean, clean)
	}
}
