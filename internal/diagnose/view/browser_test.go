package view

import (
	"bytes"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/pagetest"
	"github.com/heapwright/heapwright/internal/profile"
)

func TestMain(m *testing.M) { pagetest.Main(m) }

// drawn is filled, with graphs of real profiles.
func drawn(t *testing.T, name string) string {
	t.Helper()
	d := filled(name)
	for _, file := range []string{"../../cost/testdata/go1.26.8.pb.gz"} {
		p, err := profile.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d.Drawn = append(d.Drawn, p)
	}
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

const graphs = "document.querySelectorAll('.flame[data-ready]').length === 1"

func TestPage(t *testing.T) {
	pagetest.Hold(t, drawn(t, "example.org/app.(*server).serve"), graphs, nil)
}

func TestHostileNamesInBrowser(t *testing.T) {
	pagetest.Hold(t, drawn(t, pagetest.Hostile), graphs, nil)
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
		if !bytes.Contains([]byte(text), []byte(want)) {
			t.Errorf("it lacks %q", want)
		}
	}
	p.Looks()
	p.Quiet()
}
