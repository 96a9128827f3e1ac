package view

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/tune"
)

// tuned is what a run of tune on workloads/stackstore came to, with the graph of
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
	d.Answer = "There is little to gain here: allocating and collecting take 0.0–0.1 % of CPU. Nothing was tried."
	d.Advice, d.Tried, d.Modes, d.Final, d.Savings, d.Diagnosis.Findings = nil, nil, nil, nil, nil, nil
	return d
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
