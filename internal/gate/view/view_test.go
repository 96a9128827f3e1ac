package view

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/markdown"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// gateResult has a row of every outcome, and hostile names.
func gateResult() *gate.Result {
	row := func(name, metric string, ratio float64, o gate.Outcome) gate.Row {
		return gate.Row{
			Effect:  verdict.Effect{Key: sample.Key{Package: "x/json", Benchmark: name}, Metric: metric, Low: ratio, Ratio: ratio, High: ratio, Baseline: 1000},
			Limit:   gate.Limit{Grow: 0.05},
			Outcome: o,
		}
	}
	r := &gate.Result{
		Base: "base", Head: "head",
		Rows: []gate.Row{
			row("De\x1b[31mcode|<b>", "B/op", 1.2, gate.Fail), row("Encode", "cpu-sec/op", 1.05, gate.Inconclusive),
			row("Excused", "allocs/op", 1.3, gate.Excused), row("Fine", "B/op", 1, gate.Pass),
		},
		OnlyHead: []sample.Key{{Package: "x/json", Benchmark: "New"}},
		Broken:   []result.Failure{{Key: sample.Key{Package: "x/json", Benchmark: "Gone"}, Reason: "exit status 2", Output: "panic: 100%\n"}},
		Warnings: []string{"a remark"},
	}
	r.Rows[0].Sites = []gate.Site{{File: "json/de,code.go", Line: 12, Function: "x/json.grow", Base: 900, Head: 1100}}
	r.Rows[1].MoreBlocks = 17
	r.Rows[1].High = math.Inf(1)
	r.Rows[2].Exception = &gate.Exception{Until: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), Reason: "agreed"}
	return r
}

func TestViews(t *testing.T) {
	views := map[string]struct {
		write func(io.Writer, *gate.Result, bool) error
		want  []string
	}{
		"text": {func(w io.Writer, r *gate.Result, strict bool) error { return Text(w, r, strict, termtext.Style{}) }, []string{
			"gate FAILED: bytes/op of json.De␛[31mcode|<b> +20.0% (head against base)", "json/de,code.go:12 x/json.grow: 900 B → 1.07 KiB", "about 17 more blocks would decide",
			"allowed until 2027-03-01: agreed", "json.Gone: exit status 2", "panic: 100%",
			"1 fail, 1 inconclusive, 1 excused, 1 pass of 4", "only in head, not compared: json.New", "warning: a remark",
		}},
		"markdown": {Markdown, []string{
			"json/de,code.go:12 x/json.grow: 900 B → 1.07 KiB",
			"| fail | <code>json.De␛\\[31mcode\\|&lt;b&gt;</code> | bytes/op |", "- <code>json.Gone</code> no longer runs: exit status 2",
		}},
		"annotations": {Annotations, []string{
			"::error file=json/de%2Ccode.go,line=12,title=heapwright gate::fail: bytes/op of json.De␛[31mcode|<b> +20.0%25", "::warning title=heapwright gate::inconclusive",
			"::error title=heapwright gate::json.Gone no longer runs",
		}},
		"junit": {JUnit, []string{`tests="6" failures="1" errors="1" skipped="3"`, "panic: 100%", "json/de,code.go:12 x/json.grow"}},
		"json":  {JSON, []string{`"failed": true`, `"file": "json/de,code.go"`, `"line": 12`, `"base": 900`, `"base": "base"`}},
	}
	for name, view := range views {
		var out bytes.Buffer
		if err := view.write(&out, gateResult(), false); err != nil {
			t.Fatal(err)
		}
		for _, want := range view.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, out.String())
			}
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s holds an escape sequence", name)
		}
		if name == "junit" {
			if err := xml.Unmarshal(out.Bytes(), new(junitSuite)); err != nil {
				t.Errorf("junit: %v", err)
			}
		}
	}
}

// A gate that decided nothing has not passed, in any view; one that left something
// open says so in its first line.
func TestViewsOfUndecided(t *testing.T) {
	r := gateResult()
	r.Broken, r.Rows = nil, r.Rows[1:2]
	for want, write := range map[string]func(io.Writer, *gate.Result, bool) error{
		"gate decided nothing (head against base)\n": func(w io.Writer, r *gate.Result, strict bool) error { return Text(w, r, strict, termtext.Style{}) },
		"\n\nNothing was decided: ":                  Markdown,
		`"undecided": "`:                             JSON,
	} {
		var out bytes.Buffer
		if err := write(&out, r, false); err != nil || !strings.Contains(out.String(), want) || strings.Contains(out.String(), "passed") {
			t.Errorf("%v, want %q:\n%s", err, want, &out)
		}
	}
	r.Rows = append(r.Rows, gate.Row{Outcome: gate.Pass})
	if got := headline(r, false); got != "gate passed, but left open 1 of 2 (head against base)" {
		t.Error(got)
	}
}

func TestUndecidedNamesTheRemedy(t *testing.T) {
	wide := gate.Row{Outcome: gate.Inconclusive, Effect: verdict.Effect{Blocks: 12, Low: 1, High: 1.2, MoreBlocks: 30}}
	few, stored := wide, wide
	few.Low, few.High, few.Blocks, few.MoreBlocks = 0, math.Inf(1), 1, 7
	stored.MoreBlocks = 0
	for want, rows := range map[string][]gate.Row{
		"no interval yet after 1 block, about 7 more would decide something; give more with -blocks and -budget": {few},
		"after 12 blocks every interval lies on both sides of its budget; give longer runs with -run-time":       {few, wide},
		"give a larger budget with -limits": {stored},
	} {
		if got := Undecided(&gate.Result{Rows: rows}); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMarkdownFitsAComment(t *testing.T) {
	r := gateResult()
	for i := range 2000 {
		row := r.Rows[0]
		row.Benchmark = fmt.Sprintf("Case%d/with=a,rather=long,name=%s", i, strings.Repeat("x", 50))
		r.Rows = append(r.Rows, row)
	}
	var out bytes.Buffer
	if err := Markdown(&out, r, false); err != nil {
		t.Fatal(err)
	}
	if out.Len() > markdown.CommentLimit || !strings.Contains(out.String(), "Cut to fit a comment") {
		t.Errorf("%d bytes, at most %d fit", out.Len(), markdown.CommentLimit)
	}
}
