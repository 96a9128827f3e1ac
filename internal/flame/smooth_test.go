package flame

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/pagetest"
)

// many is a heap profile of n distinct stacks, of the shape that
// bench/profile/corpus has: 1,600 functions in 40 layers, 4 to 40 deep.
func many(t testing.TB, n int) *Tree {
	rng := rand.New(rand.NewPCG(1, 2))
	samples, seen := make([]sample, 0, n), map[string]bool{}
	for len(samples) < n {
		stack := []string{"runtime.main", "main.main", "main.serve"}
		for layer := 0; layer < 40; layer += 1 + rng.IntN(2) {
			stack = append(stack, fmt.Sprintf("example.com/service/layer%02d.(*Handler).Do%d", layer, int(40*rng.Float64()*rng.Float64())))
			if len(stack) > 4 && rng.IntN(12) == 0 {
				break
			}
		}
		if text := strings.Join(stack, " > "); !seen[text] {
			seen[text] = true
			bytes := int64(16 << rng.IntN(10))
			samples = append(samples, sample{text, []int64{1 + rng.Int64N(500), bytes * (1 + rng.Int64N(500)), rng.Int64N(9), bytes * rng.Int64N(9)}})
		}
	}
	p := made("alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes", samples...)
	return newTree(t, decoded(t, p)[0], Options{Title: "many", Type: "alloc_space"})
}

// BenchmarkPage measures how long the page's script takes, in a real browser
// with 25,000 distinct stacks, until a change is drawn.
func BenchmarkPage(b *testing.B) {
	tree := many(b, 25_000)
	var page bytes.Buffer
	if err := tree.WriteHTML(&page); err != nil {
		b.Fatal(err)
	}
	tab := openPage(b, page.String(), pagetest.Desktop)
	b.Logf("%d nodes, %d functions, a page of %d KiB", len(tree.Parent), len(tree.Frames), page.Len()>>10)
	// What has never been asked for runs as code that the browser has not compiled yet.
	first := ask[[]float64](tab, `[{ column: 0 }, { view: "callers" }].map((change) => {
		const t = performance.now();
		graph.set(change);
		flame.paint();
		return performance.now() - t;
	})`)
	b.Logf("just opened: the first change of type takes %.0f ms, the first callers view %.0f ms", first[0], first[1])
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

func BenchmarkTree(b *testing.B) {
	tree := many(b, 25_000)
	b.Run("html", func(b *testing.B) {
		for b.Loop() {
			if err := writeNowhere((*Tree).WriteHTML)(tree); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("svg", func(b *testing.B) {
		for b.Loop() {
			if err := writeNowhere((*Tree).WriteSVG)(tree); err != nil {
				b.Fatal(err)
			}
		}
	})
}
