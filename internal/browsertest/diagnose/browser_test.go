package diagnose_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/profile"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// drawn is the page of a document with all that views show, with a graph of a
// real profile. The name stands wherever a profile or a source has its say.
func drawn(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../diagnose/view/testdata/diagnosis.json")
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	d := &diagnose.Document{}
	if err := json.Unmarshal(bytes.ReplaceAll(data, []byte("main.serve"), bytes.Trim(quoted, `"`)), d); err != nil {
		t.Fatal(err)
	}
	p, err := profile.ReadFile("../../cost/testdata/go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	d.Drawn = []*profile.Profile{p}
	return browsertest.Written(t, view.HTML, d)
}

const ready = "document.querySelectorAll('.flame[data-ready]').length === 1"

func TestPage(t *testing.T) {
	browsertest.Hold(t, browsertest.Everywhere, drawn(t, "example.org/app.(*server).serve"), ready, nil)
}

func TestHostileNamesInBrowser(t *testing.T) {
	browsertest.Hold(t, browsertest.Corners, drawn(t, browsertest.Hostile), ready, nil)
}

func TestEmptyPage(t *testing.T) {
	p := browsertest.Open(t, browsertest.Written(t, view.HTML, &diagnose.Document{}), browsertest.Phone)
	p.Looks()
	p.Quiet()
}

// TestPageWithoutScripts has all text and tables, and says what it lacks.
func TestPageWithoutScripts(t *testing.T) {
	w := browsertest.Phone
	w.NoScript = true
	p := browsertest.Open(t, drawn(t, "main.serve"), w)
	text := browsertest.Ask[string](p, "document.body.innerText")
	for _, want := range []string{"1 finding", "Look it up by bytes.", "Where CPU goes", "Where memory goes", "Sites", "The graph is drawn by a script"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	p.Looks()
	p.Quiet()
}

// TestAddress keeps the finding that is open in the address.
func TestAddress(t *testing.T) {
	p := browsertest.Open(t, drawn(t, "main.compute"), browsertest.Desktop)
	p.Await(ready)
	p.Do(chromedp.Focus(chromedp.CSS("#finding-1 summary")), chromedp.KeyEvent(kb.Enter))
	p.Await("!document.getElementById('finding-1').open && location.hash === '#findings'")
	browsertest.Ask[bool](p, "(location.hash = '#finding-1', true)")
	p.Do(chromedp.Reload())
	p.Await(ready + " && document.getElementById('finding-1').open")
	p.Quiet()
}

// TestFindingAndGraph leads from a finding to its function in the flame graph, and
// back.
func TestFindingAndGraph(t *testing.T) {
	p := browsertest.Open(t, drawn(t, "main.compute"), browsertest.Desktop)
	p.Await(ready)
	p.Do(chromedp.Focus(chromedp.CSS("#finding-1 .see a")), chromedp.KeyEvent(kb.Enter))
	p.Await("document.querySelector('.flame-name')?.textContent === 'main.compute'")
	p.Await("/^#graph-1\\?.*frame=/.test(location.hash)")
	p.Do(chromedp.Focus(chromedp.CSS(".flame-details a[href='#finding-1']")), chromedp.KeyEvent(kb.Enter))
	p.Await("document.activeElement.id === 'finding-1'")
	p.Do(chromedp.Reload())
	p.Await(ready + " && document.querySelector('.flame-name')?.textContent === 'main.compute'")
	p.Quiet()
}
