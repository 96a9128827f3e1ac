package flame

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/heapwright/heapwright/internal/profile"
)

var screenshots = flag.String("screenshots", "", "write pictures of the page in several states to this `FOLDER`, to be looked at")

// TestScreenshots takes pictures for people: whether a page is good to look at
// is nothing that a test can tell.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
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
		for size, w := range map[string]window{
			"wide-light": {1280, 900, false}, "wide-dark": {1280, 900, true}, "narrow-light": {390, 844, false}, "narrow-dark": {390, 844, true},
		} {
			b := open(t, tree, w)
			b.screenshot(name + "-" + size)
			b.press("Callers")
			b.await("graph.state.view === 'callers'")
			b.screenshot(name + "-" + size + "-callers")
			b.press("Sandwich")
			b.await("graph.state.view === 'sandwich'")
			b.screenshot(name + "-" + size + "-sandwich")
			b.press("Flame")
			b.do(chromedp.KeyEvent("/"), chromedp.KeyEvent("handle|malloc|Do7"))
			b.await("graph.matched")
			b.screenshot(name + "-" + size + "-search")
			b.quiet()
		}
	}
}

func (b *browser) screenshot(name string) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(*screenshots, name+".png"), png, 0o600)
	}
	if err != nil {
		b.fatal(err)
	}
}
