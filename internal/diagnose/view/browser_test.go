package view

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/pagetest"
	"github.com/heapwright/heapwright/internal/profile"
)

func TestMain(m *testing.M) { pagetest.Main(m) }

// drawn is the page of filled, with a graph of a real profile.
func drawn(t *testing.T, name string) string {
	t.Helper()
	d := filled(name)
	p, err := profile.ReadFile("../../cost/testdata/go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	d.Drawn = []*profile.Profile{p}
	return written(t, d)
}

func written(t *testing.T, d *diagnose.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const ready = "document.querySelectorAll('.flame[data-ready]').length === 1"

func TestPage(t *testing.T) {
	pagetest.Hold(t, pagetest.Everywhere, drawn(t, "example.org/app.(*server).serve"), ready, nil)
}

func TestHostileNamesInBrowser(t *testing.T) {
	pagetest.Hold(t, pagetest.Corners, drawn(t, pagetest.Hostile), ready, nil)
}

func TestEmptyPage(t *testing.T) {
	p := pagetest.Open(t, written(t, &diagnose.Document{}), pagetest.Phone)
	p.Looks()
	p.Quiet()
}

// TestPageWithoutScripts has all text and tables, and says what it lacks.
func TestPageWithoutScripts(t *testing.T) {
	w := pagetest.Phone
	w.NoScript = true
	p := pagetest.Open(t, drawn(t, "main.serve"), w)
	text := pagetest.Ask[string](p, "document.body.innerText")
	for _, want := range []string{"1 finding", "Look it up by bytes.", "Where CPU goes", "Where memory goes", "Sites", "The graph is drawn by a script"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	p.Looks()
	p.Quiet()
}
