package browsertest

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Hostile is a name as nobody's function has it: markup and script that would
// leave any element it may stand in, terminal escapes, line ends, a text that
// turns its direction.
const Hostile = "main.f\x1b[31m\r\n</script></style></title></textarea>--><b data-evil>b</b><img data-evil src=x onerror=console.log(1)>" +
	"<script data-evil>console.log(2)</script>\u202e\" data-evil=\"x' onfocus='console.log(3)"

// Contrast is the least that text is allowed, by WCAG 2.2, criterion 1.4.3.
const Contrast = 4.5

//go:embed rules.js
var rules string

// Screenshots is the folder for pictures, "" for none.
var Screenshots = flag.String("screenshots", "", "write pictures of the pages to this `FOLDER`, to be looked at")

// Hold opens a page in each of the windows and holds it to every rule. The page
// is ready when an expression is true; more, unless nil, checks the page's own rules.
func Hold(t *testing.T, windows []Window, html, ready string, more func(*Page)) {
	for _, w := range windows {
		t.Run(w.String(), func(t *testing.T) {
			p := Open(t, html, w)
			p.Await(ready)
			p.Picture(p.Name())
			if !w.Dark {
				p.Keys()
			}
			p.Looks()
			if more != nil {
				more(p)
			}
			p.Print(w)
			p.Quiet()
		})
	}
}

// Looks holds the page as it is shown now to the rules for eyes.
func (p *Page) Looks() {
	p.Helper()
	p.none("wider than the window", "wide()")
	p.none("out of a keyboard's reach", "stuck()")
	p.none("too faint", fmt.Sprintf("faint(%g)", Contrast))
	p.none("came of a hostile name", "harm()")
}

// Keys tabs through the page: every control is reached, and seen to be.
func (p *Page) Keys() {
	p.Helper()
	stops := Ask[[]string](p, rules+".stops()")
	reached := make([]bool, len(stops))
	left := len(stops)
	for range 4*len(stops) + 40 { // some boxes are stops without saying so
		p.Do(chromedp.KeyEvent(kb.Tab))
		at := Ask[struct {
			Stop        int
			Body, Shown bool
		}](p, rules+".focus()")
		if at.Body || left == 0 {
			break
		}
		if at.Stop < 0 || reached[at.Stop] {
			continue
		}
		reached[at.Stop] = true
		left--
		if !at.Shown {
			p.Errorf("the focus cannot be seen on %s", stops[at.Stop])
		}
	}
	for i, name := range stops {
		if !reached[i] {
			p.Errorf("Tab does not reach %s", name)
		}
	}
	if len(stops) == 0 {
		p.Error("there is nothing to tab to")
	}
}

// Print holds the page to the rules for paper: legible without backgrounds, all of
// it there, none of it cut off. Browsers print in the light scheme.
func (p *Page) Print(w Window) {
	p.Helper()
	p.media("print", false)
	p.Do(chromedp.EmulateViewport(794, 1123)) // A4 at 96 dots an inch
	p.none("cut off on paper", "wide()")
	p.none("too faint on paper", fmt.Sprintf("faint(%g, true)", Contrast))
	p.none("folded on paper", "folded()")
	p.media("", w.Dark)
	p.Do(chromedp.EmulateViewport(w.Width, w.Height))
}

// none fails the test for each thing that breaks a rule.
func (p *Page) none(what, rule string) {
	p.Helper()
	if broken := Ask[[]string](p, rules+"."+rule); len(broken) > 0 {
		p.Errorf("%s:\n%s", what, strings.Join(broken[:min(20, len(broken))], "\n"))
	}
}

// Picture takes a picture of the whole page for people, with -screenshots:
// no test can say whether a page is good to look at.
func (p *Page) Picture(name string) {
	p.Helper()
	if *Screenshots == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(*Screenshots, strings.ReplaceAll(name, "/", "-")+".png"), png, 0o600)
	}
	if err != nil {
		p.fail(err)
	}
}
