package flame_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/flame/flametest"
	"github.com/heapwright/heapwright/internal/webpage"
)

// TestHostileNamesInBrowser shows names that try to be markup, script, or a way out
// of the expression that searches for them.
func TestHostileNamesInBrowser(t *testing.T) {
	p := flametest.New("n/count", flametest.Stack("main.main > "+flametest.HostileName, 7))
	p.Function[1].Filename = flametest.HostileName
	tree := newTree(t, flametest.Decode(t, p)[0], flame.Options{Title: flametest.HostileName, Source: func(string) (string, bool) { return strings.Repeat(flametest.HostileName+" script\n", 40), true }})
	b := open(t, tree, browsertest.Desktop)
	name := tree.Frames[2].Name
	b.click(name)
	b.wantText(".flame-details h3", name)
	b.press("Search for it")
	b.wantText(".flame-found", "100% in 1 function")
	b.press("Callers and callees")
	if n := ask[int](b, "document.querySelectorAll('img, b b, section script').length"); n != 0 {
		t.Errorf("a name became %d elements", n)
	}
	b.Quiet()
}

// TestFragments puts two graphs into a page that allows nothing but their own
// style and script, and points at a function from outside.
func TestFragments(t *testing.T) {
	both := flametest.Decode(t, flametest.Heap(), flametest.HeapLater())
	var page bytes.Buffer
	fmt.Fprintf(&page, `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src %s; script-src %s"><style>%s</style>`,
		webpage.Hash(string(flame.Style())), webpage.Hash(string(flame.Script())), flame.Style())
	for _, p := range both {
		fragment, err := newTree(t, p, flame.Options{}).Fragment()
		if err != nil {
			t.Fatal(err)
		}
		page.WriteString(string(fragment))
	}
	fmt.Fprintf(&page, "<script>%s</script>", flame.Script())
	b := openPage(t, page.String(), browsertest.Desktop)
	b.await("document.querySelectorAll('.flame[data-ready]').length === 2")
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".flame")[1].dispatchEvent(new CustomEvent("flame-search", { detail: "pool" }))`))
	b.await("document.querySelectorAll('.flame-found')[1].textContent.includes('1 function') && document.querySelectorAll('.flame-found')[0].textContent === ''")
	b.Quiet()
}
