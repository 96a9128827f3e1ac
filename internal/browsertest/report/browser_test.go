package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/report/reporttest"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

func TestPageInBrowser(t *testing.T) {
	browsertest.Hold(t, browsertest.Everywhere, browsertest.Written(t, report.HTML, reporttest.Document(2, 5, 12)), "document.querySelectorAll('thead button').length > 0", nil)
}

func TestBrokenPageInBrowser(t *testing.T) {
	doc := reporttest.Broken(reporttest.Document(3, 4, 12))
	doc.Target, doc.Warnings, doc.Summaries[0].Reason = browsertest.Hostile, []string{browsertest.Hostile}, browsertest.Hostile
	browsertest.Hold(t, browsertest.Corners, browsertest.Written(t, report.HTML, doc), "document.querySelectorAll('thead button').length > 0", nil)
}

func TestSortInBrowser(t *testing.T) {
	p := browsertest.Open(t, browsertest.Written(t, report.HTML, reporttest.Document(2, 5, 12)), browsertest.Desktop)
	button := `[...document.querySelector(".effects").tHead.rows[0].cells].find((c) => c.textContent === "Change").firstChild`
	browsertest.Ask[*bool](p, button+".focus()")
	p.Do(chromedp.KeyEvent("\r")) // Enter, as a keyboard's user would
	p.Await(`document.querySelector(".effects [aria-sort=ascending]")`)
	order := browsertest.Ask[[]string](p, `[...document.querySelector(".effects tbody").querySelectorAll("th[scope=row]")].map((e) => e.textContent)`)
	if want := []string{"arenas", "GOGC=400", "GOGC=200", "A/A control", "nogreenteagc"}; !slices.Equal(order, want) {
		t.Errorf("sorted by change: %v, want %v", order, want)
	}
	p.Quiet()
}

// TestPageWithoutScripts has all text, tables and plots.
func TestPageWithoutScripts(t *testing.T) {
	w := browsertest.Phone
	w.NoScript = true
	p := browsertest.Open(t, browsertest.Written(t, report.HTML, reporttest.Document(2, 5, 12)), w)
	text := browsertest.Ask[string](p, "document.body.innerText")
	for _, want := range []string{"GOGC=400", "adopt", "Effects", "Method", "Repeat"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	if !browsertest.Ask[bool](p, "document.querySelector('.effects td .fx').checkVisibility()") {
		t.Error("there is no plot")
	}
	p.Looks()
	p.Quiet()
}
