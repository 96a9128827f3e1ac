package tune_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/tune"
	"github.com/heapwright/heapwright/internal/tune/view"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// tuned is what a run of tune on workloads/stackstore came to, with the graph of
// another profile, as graphs are not in a document.
func tuned(t *testing.T) *tune.Document {
	t.Helper()
	data, err := os.ReadFile("../../tune/view/testdata/tune.json")
	if err != nil {
		t.Fatal(err)
	}
	d := &tune.Document{}
	if err := json.Unmarshal(data, d); err != nil {
		t.Fatal(err)
	}
	cpu, err := profile.ReadFile("../../cost/testdata/go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	d.Diagnosis.Drawn = []*profile.Profile{cpu}
	return d
}

// priced is tuned with what a newer document holds.
func priced(t *testing.T) *tune.Document {
	d := tuned(t)
	f := d.Diagnosis.Findings[0]
	d.Code = []tune.Code{{File: f.File, Line: f.Line, Title: f.Title, Saves: evidence.Range{Low: 0.031, High: 0.277}, Memory: f.Memory}}
	d.Savings = &tune.Savings{Before: 200, CPU: 60, Memory: -10, Total: 50, Basis: "as measured"}
	return d
}

// little is a tuning that ended early.
func little(t *testing.T) *tune.Document {
	d := tuned(t)
	d.Answer = "There is little to gain here: nothing was tried."
	d.Advice, d.Tried, d.Modes, d.Final, d.Savings, d.Diagnosis.Findings = nil, nil, nil, nil, nil, nil
	return d
}

func TestPage(t *testing.T) {
	browsertest.Hold(t, browsertest.Everywhere, browsertest.Written(t, view.HTML, priced(t)), "true", func(p *browsertest.Page) { leaf(p, "why", "modes", "final") })
}

func TestShortPage(t *testing.T) {
	browsertest.Hold(t, browsertest.Corners, browsertest.Written(t, view.HTML, little(t)), "true", func(p *browsertest.Page) { leaf(p, "why") })
}

func TestHostileNamesInBrowser(t *testing.T) {
	d := tuned(t)
	evil := browsertest.Hostile
	d.Target, d.Answer, d.MaxRSSWhy, d.Notes, d.Command = evil, evil, evil, []string{evil}, []string{evil}
	d.Advice = &tune.Advice{Mode: evil, Lines: map[string]string{evil: evil}, Rollback: evil, Gains: []tune.Gain{{Benchmark: evil, Metric: evil}}}
	d.Tried = []tune.Tried{{Mode: evil, Why: evil, Reason: evil}}
	f := &d.Diagnosis.Findings[0]
	f.Title, f.Source, f.Function, f.File, f.Path = evil, evil, evil, evil, []evidence.Frame{{Function: evil, File: evil}}
	d.Modes.Target, d.Modes.Warnings, d.Modes.Summaries[0].Reason = evil, []string{evil}, evil
	browsertest.Hold(t, browsertest.Corners, browsertest.Written(t, view.HTML, d), "true", func(p *browsertest.Page) { leaf(p, "why", "modes", "final") })
}

// leaf leads through the pages in the page by arrow keys and looks at each.
func leaf(p *browsertest.Page, ids ...string) {
	p.Helper()
	p.Do(chromedp.Focus(chromedp.CSS("#tab-answer")))
	for _, id := range ids {
		p.Do(chromedp.KeyEvent(kb.ArrowRight))
		p.Await("document.activeElement.id === 'tab-" + id + "' && document.getElementById('" + id + "').checkVisibility()")
		if !browsertest.Ask[bool](p, "document.getElementById('"+id+"').clientHeight >= innerHeight / 2 && document.documentElement.scrollHeight <= innerHeight") {
			p.Errorf("%s has no room, or scrolls within what scrolls", id)
		}
		in := p.Frame(id)
		in.Await("document.readyState === 'complete' && [...document.querySelectorAll('.flame')].every((e) => 'ready' in e.dataset)")
		in.Looks()
		if id == "why" && browsertest.Ask[int](in, "document.querySelectorAll('.flame canvas').length") == 0 {
			p.Error("there is no flame graph")
		}
		p.Picture(p.Name() + "-" + id)
	}
	p.Do(chromedp.KeyEvent(kb.ArrowRight)) // and round to the answer
	p.Await("document.activeElement.id === 'tab-answer'")
}

// TestLinksInFrames follows a link of a page in the page: it leads within it.
func TestLinksInFrames(t *testing.T) {
	p := browsertest.Open(t, browsertest.Written(t, view.HTML, tuned(t)), browsertest.Desktop)
	p.Do(chromedp.Focus(chromedp.CSS("#tab-answer")), chromedp.KeyEvent(kb.ArrowRight))
	in := p.Frame("why")
	in.Await("document.readyState === 'complete' && !!document.querySelector('nav a')")
	browsertest.Ask[bool](in, "(document.querySelector('nav a[href$=\"#sites\"]').click(), true)")
	in = p.Frame("why")
	in.Await("document.readyState === 'complete' && scrollY > 100 && !!document.querySelector('#sites')")
	p.Quiet()
}

// TestPageWithoutScripts has all text and tables.
func TestPageWithoutScripts(t *testing.T) {
	w := browsertest.Phone
	w.NoScript = true
	p := browsertest.Open(t, browsertest.Written(t, view.HTML, tuned(t)), w)
	text := browsertest.Ask[string](p, "document.body.innerText")
	for _, want := range []string{"Run with ", "Before and after", "What was tried", "In the code"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	p.Do(chromedp.Focus(chromedp.CSS("#tab-answer")), chromedp.KeyEvent(kb.ArrowRight))
	in := p.Frame("why")
	in.Await("document.readyState === 'complete' && document.body.innerText.includes('Where CPU goes')")
	in.Looks()
	p.Quiet()
}

// TestAddress leads from a finding to its place, and from an address to a page in the page.
func TestAddress(t *testing.T) {
	p := browsertest.Open(t, browsertest.Written(t, view.HTML, tuned(t)), browsertest.Desktop)
	browsertest.Ask[bool](p, "(document.querySelector('#code a').click(), true)")
	p.Await("location.hash === '#why/finding-1' && document.getElementById('why').checkVisibility()")
	in := p.Frame("why")
	in.Await("document.getElementById('finding-1')?.open")
	in.Await("[...document.querySelectorAll('.flame')].every((e) => 'ready' in e.dataset)")
	p.Do(chromedp.Focus(chromedp.CSS("#tab-why")), chromedp.KeyEvent(kb.ArrowRight))
	p.Await("location.hash === '#modes'")
	browsertest.Ask[bool](p, "(location.hash = '#final', true)")
	p.Do(chromedp.Reload())
	p.Await("document.readyState === 'complete' && document.getElementById('final').checkVisibility()")
	browsertest.Ask[bool](p, "(location.hash = '#no-such-tab', true)")
	p.Await("document.getElementById('final').checkVisibility()")
	p.Quiet()
}

// TestSchemeInFrames switches all pages together.
func TestSchemeInFrames(t *testing.T) {
	p := browsertest.Open(t, browsertest.Written(t, view.HTML, tuned(t)), browsertest.Desktop)
	p.Do(chromedp.Focus(chromedp.CSS("#tab-answer")), chromedp.KeyEvent(kb.ArrowRight))
	in := p.Frame("why")
	in.Await("document.readyState === 'complete' && !!document.body")
	const ground = "getComputedStyle(document.body).backgroundColor"
	light := browsertest.Ask[string](in, ground)
	p.Do(chromedp.Focus(chromedp.CSS(".scheme")), chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter)) // light, then dark
	p.Await("document.documentElement.dataset.scheme === 'dark'")
	in.Await(ground + " !== " + strconv.Quote(light))
	p.Looks()
	in.Looks()
	if browsertest.Ask[int](in, "document.querySelectorAll('.scheme').length") != 0 {
		t.Error("a page in the page has a switch of its own")
	}
	p.Quiet()
}

// TestEveryTabHasItsPage has a tuning of three comparisons.
func TestEveryTabHasItsPage(t *testing.T) {
	d := tuned(t)
	d.Between = append(d.Between, d.Modes)
	p := browsertest.Open(t, browsertest.Written(t, view.HTML, d), browsertest.Desktop)
	leaf(p, "why", "modes", "comparison-2", "final")
}

// TestCopy has a button at each text to paste.
func TestCopy(t *testing.T) {
	p := browsertest.Open(t, browsertest.Written(t, view.HTML, tuned(t)), browsertest.Desktop)
	p.Do(chromedp.Focus(chromedp.CSS("#lines .copy")), chromedp.KeyEvent(kb.Enter))
	p.Await("document.querySelector('#lines .copy').textContent !== 'Copy'")
	p.Quiet()
}
