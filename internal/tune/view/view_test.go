package view

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/tune"
)

// tuned is the result of a run of tune on workloads/stackstore, with the graph of
// another profile, as graphs are not in a document.
func tuned(t *testing.T) *tune.Document {
	t.Helper()
	data, err := os.ReadFile("testdata/tune.json")
	if err != nil {
		t.Fatal(err)
	}
	var d tune.Document
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	cpu, err := profile.ReadFile("../../cost/testdata/go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	d.Diagnosis.Drawn = []*profile.Profile{cpu}
	return &d
}

// priced is tuned with the fields of a newer document.
func priced(t *testing.T) *tune.Document {
	d := tuned(t)
	f := d.Diagnosis.Findings[0]
	d.Code = []tune.Code{{File: f.File, Line: f.Line, Title: f.Title, Saves: evidence.Range{Low: 0.031, High: 0.277}, Memory: f.Memory}}
	d.Savings = &tune.Savings{Before: 200, CPU: 60, Memory: -10, Total: 50, Basis: "as measured"}
	d.Advice.Gains = append(d.Advice.Gains, tune.Gain{Benchmark: d.Advice.Gains[0].Benchmark, Metric: "stw-p99-sec", Before: 0.0026, After: 0.0013, Ratio: 0.5})
	return d
}

func written(t *testing.T, d *tune.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// little is a tuning that ended early.
func little(t *testing.T) *tune.Document {
	d := tuned(t)
	d.Answer = "There is little to gain here: allocating and collecting take 0.0–0.1% of CPU. Nothing was tried."
	d.Advice, d.Tried, d.Modes, d.Final, d.Savings, d.Diagnosis.Findings = nil, nil, nil, nil, nil, nil
	return d
}

// Beside the modes that were tried, a finding that expects something of a setting
// would be a second answer.
func TestSettingsAreNotInTheCode(t *testing.T) {
	d := tuned(t)
	f := d.Diagnosis.Findings[0]
	d.Diagnosis.Findings = slices.Insert(slices.Clone(d.Diagnosis.Findings), 0, rules.Finding{Rule: "frequent-gc", Title: "the heap is small"})
	var b bytes.Buffer
	if err := Text(&b, d, "out"); err != nil {
		t.Fatal(err)
	}
	if _, code, _ := strings.Cut(b.String(), "IN THE CODE"); !strings.Contains(code, " 1. "+f.Title) || strings.Contains(code, "the heap is small") {
		t.Errorf("the text says of the code:\n%s", code)
	}
	_, code, _ := strings.Cut(written(t, d), `<section id="code">`)
	code, _, _ = strings.Cut(code, "</section>")
	if !strings.Contains(code, `href="#why/finding-2"`) || strings.Contains(code, "the heap is small") {
		t.Errorf("the page says of the code:\n%s", code)
	}
}

func TestVerdictComesFirst(t *testing.T) {
	d := tuned(t)
	html := written(t, d)
	at := 0
	for _, want := range []string{"<h1>Run with ", "<h2>Before and after", "<h2>Lines to paste", "<h2>What was tried", "<h2>In the code", "<h2>Repeat"} {
		i := strings.Index(html, want)
		if i < at {
			t.Errorf("%q stands at %d, not after what comes before it", want, i)
		}
		at = i
	}
	if html := written(t, little(t)); !strings.Contains(html, "<h1>There is little to gain here") || strings.Contains(html, "What was tried") {
		t.Error("with nothing tried the page does not say so first")
	}
}

// Pasted lines are those shown, indented as Go is, without characters that would
// command a terminal.
func TestLinesToPaste(t *testing.T) {
	d := tuned(t)
	d.Advice.Lines = map[string]string{"Go": "func main() {\n\tf()\x1b[0m\n}"}
	if html := written(t, d); !strings.Contains(html, "func main() {\n\tf()␛[0m\n}") {
		t.Error("a line to paste is not as it has to be")
	}
}

// The page says where CPU goes before anything else, and for each line its saving on
// top of the mode; the table of gains tells of pauses and of money.
func TestBeforeAndAfter(t *testing.T) {
	html := written(t, priced(t))
	at := 0
	for _, want := range []string{
		"<h1>Run with ", "Where CPU goes<", `class="stack"`, "own code", "[-34.9%, -9.7%]", `class="fx better"`, "pause p99", "2.60 ms", "one run each", "all instances", "200.00", "150.00", "-25.0%",
		"on top of <code>arenas", ">on top<", ">live heap<", ">3.1–28%<",
	} {
		i := strings.Index(html[at:], want)
		if i < 0 {
			t.Errorf("%q does not stand where it belongs", want)
			continue
		}
		at += i
	}
}

func TestText(t *testing.T) {
	d := priced(t)
	var b bytes.Buffer
	if err := Text(&b, d, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  CPU           49.6 ms → 38.3 ms    -23.9% [-34.9%, -9.7%]     stackstore.Ingest\n", "peak RSS", "On top of arenas+GOGC=320 it saves 3.1–28%", "MODES, with at most 104 MiB of peak RSS: 1.5 ×"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it lacks %q:\n%s", want, &b)
		}
	}
}

// Shares of few samples are doubtful.
func TestFewSamples(t *testing.T) {
	for samples, doubted := range map[float64]bool{3: true, 1000: false} {
		d := tuned(t)
		d.Diagnosis.CPU.Samples = samples
		var b bytes.Buffer
		if err := Text(&b, d, "out"); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "only 3 samples of CPU time"); got != doubted {
			t.Errorf("with %v samples the text doubts them: %v", samples, got)
		}
	}
}

func TestCostOfCollecting(t *testing.T) {
	for low, want := range map[float64]string{-0.03: "The cost of GC cannot be distinguished from noise: 13.0%", 0.03: "GC takes 13.0%"} {
		if got := collecting(&diagnose.Control{Saved: 0.13, Low: low, High: 0.31, Blocks: 7}); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want at its beginning %q", got, want)
		}
	}
}
