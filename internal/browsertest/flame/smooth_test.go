package flame_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/flame/flametest"
)

// BenchmarkPage measures how long the page's script takes, in a real browser
// with 25,000 distinct stacks, until a change is drawn.
func BenchmarkPage(b *testing.B) {
	tree := newTree(b, flametest.Decode(b, flametest.Many(25_000))[0], flame.Options{Title: "many", Type: "alloc_space"})
	var page bytes.Buffer
	if err := tree.WriteHTML(&page); err != nil {
		b.Fatal(err)
	}
	tab := openPage(b, page.String(), browsertest.Desktop)
	b.Logf("%d nodes, %d functions, a page of %d KiB", len(tree.Parent), len(tree.Frames), page.Len()>>10)
	tab.await("graph.views.size > 1") // what it does while it is idle
	first := ask[[]float64](tab, `[{ column: 0 }, { view: "callers" }].map((change) => {
		const t = performance.now();
		graph.set(change);
		flame.paint();
		return performance.now() - t;
	})`)
	b.Logf("the first change of type takes %.0f ms, the first callers view %.0f ms", first[0], first[1])
	for _, c := range []struct{ name, before, do string }{
		{"redraw", "graph.set({ view: 'flame' })", "flame.paint()"},
		{"zoom", "", "(graph.zoom(graph.zoomed ? null : step(i)), flame.paint())"},
		{"pan", "", "(graph.pan(0.3 + i % 50 / 100, 0.4 + i % 50 / 100), flame.paint())"},
		{"point", "", "flame.under(200 + i % 900, 300)"},
		{"search", "graph.zoom(null)", "(graph.search(i % 2 ? /layer[12]\\d/ : /Do1?\\d$/), flame.paint())"},
		{"type", "graph.search(null)", "(graph.p.tree = undefined, graph.known = { values: [], base: [] }, graph.views.clear(), graph.set({ column: i % 4 }), flame.paint())"},
		{"type-again", "", "(graph.set({ column: i % 4 }), flame.paint())"},
		{"callers", "", "(graph.p.inverted = undefined, graph.views.clear(), graph.set({ view: 'flame' }), t = performance.now(), graph.set({ view: 'callers' }), flame.paint())"},
		{"callers-again", "", "(graph.set({ view: 'flame' }), t = performance.now(), graph.set({ view: 'callers' }), flame.paint())"},
		{"callers-redraw", "", "flame.paint()"},
		{"sandwich", "", "(graph.set({ view: 'sandwich', pivot: 4 + i % 99 }), flame.paint())"},
	} {
		b.Run(c.name, func(b *testing.B) {
			sum := 0.0
			for b.Loop() {
				sum += ask[float64](tab, fmt.Sprintf(`(() => {
					%s;
					const step = (i) => { const p = graph.view.parts[0]; return { part: p, node: p.l.order[5 + i %% 200], row: 0 }; };
					let all = 0;
					for (let i = 0; i < 10; i++) { let t = performance.now(); %s; all += performance.now() - t; }
					return all / 10;
				})()`, c.before, c.do))
			}
			b.ReportMetric(0, "ns/op") // the time of the browser's answers says nothing
			b.ReportMetric(sum/float64(b.N), "script-ms/op")
		})
	}
	tab.Quiet()
}
