package flame_test

import (
	"bytes"
	"testing"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/profile"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// browser is a page of graphs, open in a real browser.
type browser struct{ *browsertest.Page }

// open shows a tree's page. It skips where there is no browser.
func open(t testing.TB, tree *flame.Tree, w browsertest.Window) *browser {
	t.Helper()
	var page bytes.Buffer
	if err := tree.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	return openPage(t, page.String(), w)
}

func openPage(t testing.TB, page string, w browsertest.Window) *browser {
	t.Helper()
	b := &browser{browsertest.Open(t, page, w)}
	b.Await("document.querySelector('.flame:is([data-ready], [data-failed])')")
	return b
}

// inPage lets an expression use flame, the page's first graph.
func inPage(expression string) string {
	return "(() => { const flame = document.querySelector('.flame').flame, graph = flame?.graph; return " + expression + "; })()"
}

// ask evaluates an expression in the page.
func ask[T any](b *browser, expression string) T {
	b.Helper()
	return browsertest.Ask[T](b.Page, inPage(expression))
}

// await waits until an expression is true.
func (b *browser) await(expression string) {
	b.Helper()
	b.Await(inPage(expression))
}

func newTree(t testing.TB, p *profile.Profile, opts flame.Options) *flame.Tree {
	t.Helper()
	tree, err := flame.New(p, opts)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
