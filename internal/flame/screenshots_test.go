package flame

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/heapwright/heapwright/internal/pagetest"
	"github.com/heapwright/heapwright/internal/profile"
)

// TestScreenshots takes pictures for people: whether a page is good to look at
// is nothing that a test can tell.
func TestScreenshots(t *testing.T) {
	if *pagetest.Screenshots == "" {
		t.Skip("no -screenshots=FOLDER")
	}
	both := decoded(t, cured(), heap())
	cpu, err := profile.ReadFile("../cost/testdata/go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	trees := map[string]*Tree{
		"cpu":  newTree(t, cpu, Options{Title: "cpu.pb.gz", Source: Files("")}),
		"diff": newTree(t, both[0], Options{Title: "after against before", Base: both[1], Type: "alloc_space"}),
		"many": many(t, 25_000),
	}
	for name, tree := range trees {
		for _, w := range []pagetest.Window{pagetest.Desktop, pagetest.DesktopDark, pagetest.Phone, pagetest.PhoneDark} {
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
