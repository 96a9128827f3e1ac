package view

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/pagetest"
	"github.com/heapwright/heapwright/internal/tune"
)

func TestMain(m *testing.M) { pagetest.Main(m) }

func TestPage(t *testing.T) {
	pagetest.Hold(t, pagetest.Everywhere, written(t, priced(t)), "true", func(p *pagetest.Page) { leaf(p, "why", "modes", "final") })
}

func TestShortPage(t *testing.T) {
	pagetest.Hold(t, pagetest.Corners, written(t, little(t)), "true", func(p *pagetest.Page) { leaf(p, "why") })
}

func TestHostileNamesInBrowser(t *testing.T) {
	d := tuned(t)
	evil := pagetest.Hostile
	d.Target, d.Answer, d.MaxRSSWhy, d.Notes, d.Command = evil, evil, evil, []string{evil}, []string{evil}
	d.Advice = &tune.Advice{Mode: evil, Lines: map[string]string{evil: evil}, Rollback: evil, Gains: []tune.Gain{{Benchmark: evil, Metric: evil}}}
	d.Tried = []tune.Tried{{Mode: evil, Why: evil, Reason: evil}}
	f := &d.Diagnosis.Findings[0]
	f.Title, f.Source, f.Function, f.File, f.Path = evil, evil, evil, evil, []diagnose.Frame{{Function: evil, File: evil}}
	d.Modes.Target, d.Modes.Warnings, d.Modes.Summaries[0].Reason = evil, []string{evil}, evil
	pagetest.Hold(t, pagetest.Corners, written(t, d), "true", func(p *pagetest.Page) { leaf(p, "why", "modes", "final") })
}

// leaf leads through the pages in the page by arrow keys and looks at each.
func leaf(p *pagetest.Page, ids ...string) {
	p.Helper()
	p.Do(chromedp.Focus(chromedp.CSS("#tab-answer")))
	for _, id := range ids {
		p.Do(chromedp.KeyEvent(kb.ArrowRight))
		p.Await("document.activeElement.id === 'tab-" + id + "' && document.getElementById('" + id + "').checkVisibility()")
		if !pagetest.Ask[bool](p, "document.getElementById('"+id+"').clientHeight >= innerHeight / 2 && document.documentElement.scrollHeight <= innerHeight") {
			p.Errorf("%s has no room, or scrolls within what scrolls", id)
		}
		in := p.Frame(id)
		in.Await("document.readyState === 'complete' && [...document.querySelectorAll('.flame')].every((e) => 'ready' in e.dataset)")
		in.Looks()
		if id == "why" && pagetest.Ask[int](in, "document.querySelectorAll('.flame canvas').length") == 0 {
			p.Error("there is no flame graph")
		}
		p.Picture(p.Name() + "-" + id)
	}
	p.Do(chromedp.KeyEvent(kb.ArrowRight)) // and round to the answer
	p.Await("document.activeElement.id === 'tab-answer'")
}

// TestLinksInFrames follows a link of a page in the page: it leads within it.
func TestLinksInFrames(t *testing.T) {
	p := pagetest.Open(t, written(t, tuned(t)), pagetest.Desktop)
	p.Do(chromedp.Focus(chromedp.CSS("#tab-answer")), chromedp.KeyEvent(kb.ArrowRight))
	in := p.Frame("why")
	in.Await("document.readyState === 'complete' && !!document.querySelector('nav a')")
	pagetest.Ask[bool](in, "(document.querySelector('nav a[href$=\"#sites\"]').click(), true)")
	in = p.Frame("why")
	in.Await("document.readyState === 'complete' && scrollY > 100 && !!document.querySelector('#sites')")
	p.Quiet()
}

// TestPageWithoutScripts has all text and tables.
func TestPageWithoutScripts(t *testing.T) {
	w := pagetest.Phone
	w.NoScript = true
	p := pagetest.Open(t, written(t, tuned(t)), w)
	text := pagetest.Ask[string](p, "document.body.innerText")
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
