package flame_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/flame/flametest"
	"github.com/heapwright/heapwright/internal/profile"
)

// point is where something is in the window, in CSS pixels.
type point struct{ X, Y float64 }

// click clicks into the middle of a function's widest box.
func (b *browser) click(name string) {
	b.Helper()
	at := ask[point](b, fmt.Sprintf("flame.place(%q)", name))
	b.Do(chromedp.MouseClickXY(at.X, at.Y))
	b.await("true") // a frame later
}

// press clicks what a person reads as text: a button, or the label of a choice.
func (b *browser) press(text string) {
	b.Helper()
	at := ask[point](b, fmt.Sprintf(`(() => {
		const e = [...document.querySelectorAll("button, label")].find((e) => e.textContent.trim() === %q && e.checkVisibility());
		e.scrollIntoView({ block: "center" });
		const r = e.getBoundingClientRect();
		return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
	})()`, text))
	b.Do(chromedp.MouseClickXY(at.X, at.Y))
	b.await("true")
}

func (b *browser) text(selector string) string {
	b.Helper()
	return ask[string](b, fmt.Sprintf("document.querySelector(%q).textContent", selector))
}

func (b *browser) wantText(selector, want string) {
	b.Helper()
	if got := b.text(selector); !strings.Contains(got, want) {
		b.Errorf("%s reads %q, want %q", selector, got, want)
	}
}

// shownTable is the table of functions by name, exact.
func (b *browser) shownTable(which string) flametest.Figures {
	b.Helper()
	all := ask[map[string][2]float64](b, fmt.Sprintf(`(() => {
		const t = graph.table().%s, all = {};
		graph.p.names.forEach((name, f) => { if (f) all[name] = [t.flat[f], t.cum[f]]; });
		return all;
	})()`, which))
	out := flametest.Figures{}
	for name, f := range all {
		out[name] = [2]int64{int64(f[0]), int64(f[1])}
	}
	return out.DeleteZeros()
}

func sameFigures(t *testing.T, what string, got, want flametest.Figures) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\ngot  %v\nwant %v", what, got, want)
	}
}

func TestPageShowsEveryType(t *testing.T) {
	p := flametest.Decode(t, flametest.Heap())[0]
	b := open(t, newTree(t, p, flame.Options{}), browsertest.Desktop)
	for column, kind := range p.SampleTypes {
		b.press(kind.Type)
		sameFigures(t, kind.Type, b.shownTable("after"), flametest.FiguresOf(p, column))
		if got := ask[float64](b, "graph.view.parts[0].after[0]"); got != float64(p.Total(column)) {
			t.Errorf("%s: the root has %v", kind.Type, got)
		}
	}
	b.Quiet()
}

func TestPageOfRealProfile(t *testing.T) {
	p, err := profile.ReadFile("../../cost/testdata/go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, newTree(t, p, flame.Options{}), browsertest.Desktop)
	sameFigures(t, "cpu", b.shownTable("after"), flametest.FiguresOf(p, p.DefaultColumn()))
	b.wantText(".flame-legend", "GC mark 10.2%")
	b.press("Package")
	b.wantText(".flame-legend", "own code")
	b.Quiet()
}

func TestSearch(t *testing.T) {
	p := flametest.Decode(t, flametest.Heap())[0]
	b := open(t, newTree(t, p, flame.Options{Type: "alloc_space"}), browsertest.Desktop)
	b.press("Flame") // the key works from a choice too
	b.Do(chromedp.KeyEvent("/"))
	b.Do(chromedp.KeyEvent("json|main.cache"), chromedp.KeyEvent(kb.Enter)) // Enter does not wait for more
	b.wantText(".flame-found", "40.0% in 2 functions")
	if rows := ask[int](b, "document.querySelectorAll('.flame-functions tbody tr').length"); rows != 2 {
		t.Errorf("the table has %d rows, want what matches", rows)
	}
	b.Do(chromedp.KeyEvent("("), chromedp.KeyEvent(kb.Enter))
	b.wantText(".flame-found", "not a regular expression: ")
	b.Do(chromedp.KeyEvent(kb.Escape))
	b.await("!graph.matched")
	b.Do(chromedp.KeyEvent("Nobody"), chromedp.KeyEvent(kb.Enter))
	b.wantText(".flame-found", "no function matches")
	b.Quiet()
}

func TestCallersView(t *testing.T) {
	p := flametest.Decode(t, flametest.Heap())[0]
	b := open(t, newTree(t, p, flame.Options{Type: "alloc_space"}), browsertest.Desktop)
	b.press("Callers")
	b.await("graph.state.view === 'callers'")
	flat := ask[map[string]float64](b, `(() => {
		const all = {}, [part] = graph.view.parts;
		part.tree.parent.forEach((p, n) => { if (p === 0) all[graph.p.names[part.tree.frame[n]]] = part.after[n]; });
		return all;
	})()`)
	got := flametest.Figures{}
	for name, v := range flat {
		got[name] = [2]int64{int64(v), 0}
	}
	sameFigures(t, "callers", got, invertedFlat(newTree(t, p, flame.Options{Type: "alloc_space", Inverted: true}), 0))
	// The caller is above its callee, here as everywhere.
	b.click("main.copy")
	up := ask[point](b, `flame.place("main.handle")`)
	down := ask[point](b, `flame.place("main.copy")`)
	if up.Y >= down.Y {
		t.Errorf("handle is at %v, its callee copy at %v", up, down)
	}
	b.Quiet()
}

// TestSandwich opens every function of a profile with recursion between its
// callers and callees: both add up to its cum.
func TestSandwich(t *testing.T) {
	p := flametest.Decode(t, flametest.Heap())[0]
	b := open(t, newTree(t, p, flame.Options{Type: "alloc_space"}), browsertest.Desktop)
	for name, f := range flametest.FiguresOf(p, 0) {
		sums := ask[[]float64](b, fmt.Sprintf(`(graph.set({ view: "sandwich", pivot: flame.frame(%q) }), graph.view.parts.map((p) => p.after[0]))`, name))
		if len(sums) != 2 || sums[0] != float64(f[1]) || sums[1] != float64(f[1]) {
			t.Errorf("%s: callees and callers have %v, want %d each", name, sums, f[1])
		}
	}
	b.press("Flame")
	b.await("graph.state.view === 'flame' && graph.range[1] === 1")
	b.click("main.handle")
	b.press("Callers and callees")
	b.await("graph.state.view === 'sandwich' && graph.p.names[graph.state.pivot] === 'main.handle'")
	callers := ask[[]string](b, `(() => { const p = graph.view.parts[1]; return [...p.tree.parent.keys()].filter((n) => p.tree.parent[n] === 0).map((n) => graph.p.names[p.tree.frame[n]]); })()`)
	if fmt.Sprint(callers) != "[net/http.(*conn).serve main.main]" {
		t.Errorf("the callers of handle are %v", callers)
	}
	b.Quiet()
}

func TestDiffPage(t *testing.T) {
	both := flametest.Decode(t, flametest.HeapLater(), flametest.Heap())
	b := open(t, newTree(t, both[0], flame.Options{Base: both[1], Type: "alloc_space"}), browsertest.Desktop)
	sameFigures(t, "after", b.shownTable("after"), flametest.FiguresOf(both[0], 1))
	sameFigures(t, "before", b.shownTable("before"), flametest.FiguresOf(both[1], 0))
	b.wantText(".flame-legend", "gone: 2 stacks, 2.00 MiB")
	b.click("main.cache")
	b.wantText(".flame-status", "gone: only in the base")
	b.press("Show all")
	b.press("Gone")
	b.await("graph.state.width === 'gone'")
	if place := ask[*point](b, `flame.place("main.pool")`); place != nil {
		t.Error("what is new is drawn among what is gone")
	}
	if place := ask[*point](b, `flame.place("github.com/x/lru.(*Cache).Add")`); place == nil {
		t.Error("what is gone is not drawn")
	}
	b.press("Either")
	b.wantText(".flame-summary", "alloc_space: 12.5 MiB before, 13 MiB after, +511 KiB (+4.0%); 7 stacks")
	b.press("Scaled")
	b.await("graph.state.normalized")
	totals := ask[[2]float64](b, "[graph.view.parts[0].after[0], graph.view.parts[0].before[0]]")
	if math.Abs(totals[0]-totals[1]) > 1 {
		t.Errorf("scaled totals are %v", totals)
	}
	b.Quiet()
}

func TestSourceBesideFrames(t *testing.T) {
	tree := newTree(t, flametest.Decode(t, flametest.Heap())[0], flame.Options{Type: "alloc_space", Source: func(file string) (string, bool) {
		return strings.Repeat("\tcopy, handle := <b>1</b>, 2\n", 20), file == "/src/app/main.go"
	}})
	b := open(t, tree, browsertest.Desktop)
	b.wantText(".flame-details", "Heaviest lines")
	b.click("main.copy")
	b.wantText(".flame-source", "copy, handle := <b>1</b>, 2")
	b.wantText(".flame-hot", "7 MiB")
	b.press("Show all")
	b.await("graph.range[1] === 1")
	b.click("encoding/json.Marshal")
	b.wantText(".flame-details", "Its source was not at hand")
	b.Quiet()
}

// TestFits looks for what would have to be scrolled sideways.
func TestFits(t *testing.T) {
	both := flametest.Decode(t, flametest.HeapLater(), flametest.Heap())
	for _, w := range []browsertest.Window{browsertest.Desktop, browsertest.PhoneDark, browsertest.Phone} {
		b := open(t, newTree(t, both[0], flame.Options{Base: both[1]}), w)
		b.click("main.handle")
		if over := ask[float64](b, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
			t.Errorf("at %d pixels the page is %v too wide", w.Width, over)
		}
		b.Quiet()
	}
}

// TestNarrowFunctionIsShown chooses a function from the table whose box is far
// too narrow to be seen.
func TestNarrowFunctionIsShown(t *testing.T) {
	b := open(t, newTree(t, flametest.Decode(t, flametest.New("n/count",
		flametest.Stack("main.main > main.big", 1_000_000),
		flametest.Stack("main.main > main.some > main.few > main.tiny", 2),
		flametest.Stack("main.main > main.some", 90)))[0], flame.Options{}), browsertest.Desktop)
	b.press("main.tiny")
	b.await("graph.zoomed && graph.range[1] - graph.range[0] < 0.001")
	if got := ask[string](b, "graph.p.names[graph.zoomed.part.tree.frame[graph.zoomed.node]]"); got != "main.some" {
		t.Errorf("it shows %s, want the nearest caller below which it can be seen", got)
	}
	b.Quiet()
}

func TestNothingRecorded(t *testing.T) {
	p := flametest.New("alloc_space/bytes inuse_space/bytes", flametest.Stack("main.f", 1, 0))
	b := open(t, newTree(t, flametest.Decode(t, p)[0], flame.Options{}), browsertest.Desktop)
	b.wantText(".flame-legend", "Nothing was recorded of inuse_space; choose another sample type.")
	b.press("Callers")
	b.press("alloc_space")
	b.wantText(".flame-legend", "own code 100%")
	b.Quiet()
}

// invertedFlat is what the first level of an inverted tree says of each function.
func invertedFlat(t *flame.Tree, column int) flametest.Figures {
	all, totals := flametest.Figures{}, t.Totals(column)
	for node := 1; node < len(t.Parent); node++ {
		if t.Parent[node] == 0 {
			all[t.Frames[t.Frame[node]].Name] = [2]int64{totals[node], 0}
		}
	}
	return all.DeleteZeros()
}
