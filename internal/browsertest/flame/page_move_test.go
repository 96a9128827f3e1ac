package flame_test

import (
	"math"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/flame/flametest"
)

func TestZoomKeepsTheMap(t *testing.T) {
	b := open(t, newTree(t, flametest.Decode(t, flametest.Heap())[0], flame.Options{Type: "alloc_space"}), browsertest.Desktop)
	b.click("net/http.(*conn).serve")
	b.await("graph.range[1] < 1")
	b.wantText(".flame-status", "net/http.(*conn).serve · 11 MiB, 88.0% of all")
	b.click("main.cache")
	b.await("graph.zooms.length === 2")
	if window := ask[[2]float64](b, "graph.range"); math.Abs(window[1]-window[0]-2/12.501) > 0.001 {
		t.Errorf("the window is %v", window)
	}
	b.click("main.main") // a caller stays in sight, and leads back out
	b.await("graph.range[1] - graph.range[0] > 0.99")
	b.Do(chromedp.KeyEvent(kb.Escape))
	b.press("Show all")
	b.await("graph.zooms.length === 0 && graph.range[0] === 0 && graph.range[1] === 1")
	// A drag over the strip chooses a part.
	strip := ask[[4]float64](b, "(() => { const r = document.querySelector('.flame-map').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()")
	y := strip[1] + strip[3]/2
	b.Do(chromedp.DragAndDropXY(strip[0]+strip[2]/4, y, strip[0]+strip[2]/2, y))
	b.await("Math.abs(graph.range[0] - 0.25) < 0.01 && Math.abs(graph.range[1] - 0.5) < 0.01")
	b.Quiet()
}

func TestKeyboard(t *testing.T) {
	b := open(t, newTree(t, flametest.Decode(t, flametest.Heap())[0], flame.Options{Type: "alloc_space"}), browsertest.Desktop)
	chosen := func(want string) {
		t.Helper()
		if got := ask[string](b, "graph.p.names[graph.state.frame]"); got != want {
			t.Errorf("%s is chosen, want %s", got, want)
		}
	}
	b.Do(chromedp.Focus(chromedp.CSS(".flame-scroller")))
	for range 4 { // the root, main, serve, handle
		b.Do(chromedp.KeyEvent(kb.ArrowDown))
	}
	chosen("main.handle")
	b.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowRight))
	chosen("encoding/json.Marshal")
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.await("graph.zoomed")
	b.Do(chromedp.KeyEvent(kb.Escape))
	b.await("!graph.zoomed")
	b.Do(chromedp.KeyEvent(kb.ArrowUp))
	chosen("main.handle")
	b.Do(chromedp.KeyEvent("s"))
	b.await("graph.state.view === 'sandwich'")
	b.Do(chromedp.Focus(chromedp.CSS(".flame-scroller")), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.ArrowUp))
	chosen("net/http.(*conn).serve") // up is the caller there too
	b.Do(chromedp.KeyEvent(kb.ArrowDown))
	chosen("main.handle")
	b.Do(chromedp.KeyEvent(kb.ArrowDown))
	chosen("main.copy")
	b.Quiet()
}

// TestAddress shows the state of an address, as far as the page has it.
func TestAddress(t *testing.T) {
	b := open(t, newTree(t, flametest.Decode(t, flametest.Heap())[0], flame.Options{Type: "alloc_space"}), browsertest.Desktop)
	b.click("net/http.(*conn).serve")
	b.press("Callers")
	b.await("location.hash.includes('view=callers')")
	b.Do(chromedp.Reload())
	b.await("document.querySelectorAll('.flame[data-ready]').length === 1")
	b.await("document.querySelector('.flame').flame.graph.state.view === 'callers'")
	ask[bool](b, "(location.hash = '#?view=none&column=99&zoom=7,1e9&range=2,1&frame=-1&search=%5B', true)")
	b.await("document.querySelector('.flame-found').textContent.startsWith('not a regular expression')")
	ask[bool](b, "(location.hash = '#?view=flame&range=0.25,0.5&search=json', true)")
	b.await("document.querySelector('.flame').flame.graph.range[1] === 0.5 && document.querySelector('.flame-found').textContent.includes('function')")
	b.Quiet()
}
