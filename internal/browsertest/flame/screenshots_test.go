package flame_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/flame/flametest"
	"github.com/heapwright/heapwright/internal/profile"
)

// TestScreenshots takes pictures for people: whether a page is good to look at
// is nothing that a test can tell.
func TestScreenshots(t *testing.T) {
	if *browsertest.Screenshots == "" {
		t.Skip("no -screenshots=FOLDER")
	}
	both := flametest.Decode(t, flametest.HeapLater(), flametest.Heap())
	cpu, err := profile.ReadFile("../../cost/testdata/go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	trees := map[string]*flame.Tree{
		"cpu":  newTree(t, cpu, flame.Options{Title: "cpu.pb.gz", Source: flame.Files("")}),
		"diff": newTree(t, both[0], flame.Options{Title: "after against before", Base: both[1], Type: "alloc_space"}),
		"many": newTree(t, flametest.Decode(t, flametest.Many(25_000))[0], flame.Options{Title: "many", Type: "alloc_space"}),
	}
	for name, tree := range trees {
		for _, w := range []browsertest.Window{browsertest.Desktop, browsertest.DesktopDark, browsertest.Phone, browsertest.PhoneDark} {
			size := w.String()
			b := open(t, tree, w)
			b.Picture(name + "-" + size)
			b.press("Callers")
			b.await("graph.state.view === 'callers'")
			b.Picture(name + "-" + size + "-callers")
			b.press("Sandwich")
			b.await("graph.state.view === 'sandwich'")
			b.Picture(name + "-" + size + "-sandwich")
			b.press("Flame")
			b.Do(chromedp.KeyEvent("/"), chromedp.KeyEvent("handle|malloc|Do7"))
			b.await("graph.matched")
			b.Picture(name + "-" + size + "-search")
			b.Quiet()
		}
	}
}
