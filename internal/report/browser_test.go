package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/heapwright/heapwright/internal/pagetest"
)

func TestMain(m *testing.M) { pagetest.Main(m) }

func TestPageInBrowser(t *testing.T) {
	pagetest.Hold(t, pagetest.Everywhere, written(t, HTML, document(shape{2, 5, 12})), "document.querySelectorAll('thead button').length > 0", nil)
}

func TestBrokenPageInBrowser(t *testing.T) {
	doc := broken(document(shape{3, 4, 12}))
	doc.Target, doc.Warnings, doc.Summaries[0].Reason = pagetest.Hostile, []string{pagetest.Hostile}, pagetest.Hostile
	pagetest.Hold(t, pagetest.Corners, written(t, HTML, doc), "document.querySelectorAll('thead button').length > 0", nil)
}

func TestSortInBrowser(t *testing.T) {
	p := pagetest.Open(t, written(t, HTML, document(shape{2, 5, 12})), pagetest.Desktop)
	button := `[...document.querySelector(".effects").tHead.rows[0].cells].find((c) => c.textContent === "Change").firstChild`
	pagetest.Ask[*bool](p, button+".focus()")
	p.Do(chromedp.KeyEvent("\r")) // Enter, as a keyboard's user would
	p.Await(`document.querySelector(".effects [aria-sort=ascending]")`)
	order := pagetest.Ask[[]string](p, `[...document.querySelector(".effects tbody").querySelectorAll("th[scope=row]")].map((e) => e.textContent)`)
	if want := []string{"arenas", "GOGC=400", "GOGC=200", "A/A control", "nogreenteagc"}; !slices.Equal(order, want) {
		t.Errorf("sorted by change: %v, want %v", order, want)
	}
	p.Quiet()
}

// TestPageWithoutScripts has all text, tables and plots.
func TestPageWithoutScripts(t *testing.T) {
	w := pagetest.Phone
	w.NoScript = true
	p := pagetest.Open(t, written(t, HTML, document(shape{2, 5, 12})), w)
	text := pagetest.Ask[string](p, "document.body.innerText")
	for _, want := range []string{"GOGC=400", "adopt", "Effects", "Method", "Repeat"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	if !pagetest.Ask[bool](p, "document.querySelector('.effects td .fx').checkVisibility()") {
		t.Error("there is no plot")
	}
	p.Looks()
	p.Quiet()
}
