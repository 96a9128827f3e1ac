package flame

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"
	"pgregory.net/rapid"

	"github.com/heapwright/heapwright/internal/flame/flametest"
	"github.com/heapwright/heapwright/internal/profile"
)

// summed is the same from a tree.
func summed(t *Tree, self []int64) flametest.Figures {
	all, totals := flametest.Figures{}, t.below(self)
	for node := 1; node < len(t.Parent); node++ {
		name := t.Frames[t.Frame[node]].Name
		f := all[name]
		f[0] += self[node]
		recursive := false
		for up := t.Parent[node]; up > 0; up = t.Parent[up] {
			recursive = recursive || t.Frame[up] == t.Frame[node]
		}
		if !recursive {
			f[1] += totals[node]
		}
		all[name] = f
	}
	return all.DeleteZeros()
}

func newTree(t testing.TB, p *profile.Profile, opts Options) *Tree {
	t.Helper()
	tree, err := New(p, opts)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// invertedFlat are the figures of each function on the first level of an inverted tree.
func invertedFlat(t *Tree, column int) flametest.Figures {
	all, totals := flametest.Figures{}, t.Totals(column)
	for node := 1; node < len(t.Parent); node++ {
		if t.Parent[node] == 0 {
			all[t.Frames[t.Frame[node]].Name] = [2]int64{totals[node], 0}
		}
	}
	return all.DeleteZeros()
}

func checkSums(t testing.TB, p *profile.Profile) {
	t.Helper()
	tree, inverted := newTree(t, p, Options{}), newTree(t, p, Options{Inverted: true})
	for column := range p.SampleTypes {
		want := flametest.FiguresOf(p, column)
		if diff := cmp.Diff(want, summed(tree, tree.Self[column])); diff != "" {
			t.Fatalf("column %d: Group and the tree differ:\n%s", column, diff)
		}
		if got := tree.Totals(column)[0]; got != p.Total(column) {
			t.Fatalf("column %d: the root has %d, want %d", column, got, p.Total(column))
		}
		for name, f := range want {
			want[name] = [2]int64{f[0], 0}
		}
		if diff := cmp.Diff(want.DeleteZeros(), invertedFlat(inverted, column)); diff != "" {
			t.Fatalf("column %d: Group and the inverted tree differ:\n%s", column, diff)
		}
	}
	checkOrder(t, tree)
	checkOrder(t, inverted)
}

// checkOrder holds a tree to its preorder, the heaviest callee first.
func checkOrder(t testing.TB, tree *Tree) {
	t.Helper()
	after, weight := tree.after(), tree.Weights(tree.Column)
	next := map[int32]int32{0: 1} // by parent: where the next callee is
	last := map[int32]float64{}
	for node := int32(1); int(node) < len(tree.Parent); node++ {
		parent := tree.Parent[node]
		if next[parent] != node {
			t.Fatalf("node %d of %d is not where the callee before it ends", node, parent)
		}
		next[parent], next[node] = after[node], node+1
		if w, ok := last[parent]; ok && weight[node] > w {
			t.Fatalf("node %d is heavier than the callee before it", node)
		}
		last[parent] = weight[node]
	}
}

func TestSumsOfRealProfiles(t *testing.T) {
	files, err := filepath.Glob("../cost/testdata/*.pb.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no profiles: %v", err)
	}
	for _, file := range files {
		p, err := profile.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkSums(t, p)
	}
}

// drawn is a random profile: recursion, values of either sign, stacks that
// repeat.
func drawn(t *rapid.T, name string) *pprof.Profile {
	var samples []flametest.Sample
	for range rapid.IntRange(1, 12).Draw(t, name+" samples") {
		stack := rapid.SliceOfN(rapid.SampledFrom([]string{"main.a", "main.b", "fmt.c", "x/y.(*T[go/z.V]).d", "e"}), 1, 7).Draw(t, "stack")
		values := rapid.SliceOfN(rapid.Int64Range(-50, 100), 2, 2).Draw(t, "values")
		values[0] |= 1 // no sample is zero in all columns
		samples = append(samples, flametest.Stack(strings.Join(stack, " > "), values...))
	}
	return flametest.New("n/count space/bytes", samples...)
}

func TestSumsOfRandomProfiles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { checkSums(t, flametest.Decode(t, drawn(rt, "p"))[0]) })
}

// A tree that is full still adds up: values are cut off, not lost.
func TestFullTree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, most := flametest.Decode(t, drawn(rt, "p"))[0], rapid.IntRange(1, 10).Draw(rt, "most")
		whole, tree := newTree(t, p, Options{}), newTree(t, p, Options{MaxNodes: most})
		for column := range p.SampleTypes {
			if got := tree.Totals(column)[0]; got != p.Total(column) {
				rt.Fatalf("column %d: the root has %d, want %d", column, got, p.Total(column))
			}
		}
		if n := len(tree.Parent); n > 2*most || (tree.LeftOut > 0) != (len(whole.Parent) > most) {
			rt.Fatalf("%d of %d nodes, %d stacks left out", n, len(whole.Parent), tree.LeftOut)
		}
		checkOrder(t, tree)
	})
}

// TestDiff holds the tree of two profiles to profile.Diff, and widths to their promise.
func TestDiff(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		both := flametest.Decode(t, drawn(rt, "after"), drawn(rt, "before"))
		change, err := profile.Diff(both[0], both[1])
		if err != nil {
			t.Fatal(err)
		}
		tree := newTree(t, both[0], Options{Base: both[1]})
		for column := range tree.Types {
			difference := make([]int64, len(tree.Parent))
			for node := range difference {
				difference[node] = tree.Self[column][node] - tree.Base[column][node]
			}
			if diff := cmp.Diff(flametest.FiguresOf(change, column), summed(tree, difference)); diff != "" {
				rt.Fatalf("Diff and the tree differ:\n%s", diff)
			}
			totals, before := tree.Totals(column), tree.BaseTotals(column)
			for node, w := range tree.Weights(column) {
				if w < float64(totals[node]) || w < float64(before[node]) {
					rt.Fatalf("node %d is %v wide, with %d after and %d before", node, w, totals[node], before[node])
				}
			}
		}
		checkOrder(t, tree)
	})
}

func TestDiffFindsColumnsByName(t *testing.T) {
	both := flametest.Decode(t, flametest.HeapLater(), flametest.Heap())
	tree := newTree(t, both[0], Options{Base: both[1], Type: "alloc_space"})
	if got, want := tree.Totals(tree.Column)[0], both[0].Total(1); got != want {
		t.Errorf("after: %d, want %d", got, want)
	}
	if got, want := tree.BaseTotals(tree.Column)[0], both[1].Total(0); got != want {
		t.Errorf("before: %d, want %d", got, want)
	}
	if all, gone := tree.Stacks(tree.Column); all != 7 || gone != 2 {
		t.Errorf("%d stacks, %d gone; want 7 and 2", all, gone)
	}
	if s := tree.Scale(tree.Column); s != 1 {
		t.Errorf("scaled by %v though not asked to", s)
	}
	scaled := newTree(t, both[0], Options{Base: both[1], Normalized: true})
	c := scaled.Column
	if got, want := scaled.Scale(c)*float64(scaled.BaseTotals(c)[0]), float64(scaled.Totals(c)[0]); fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", want) {
		t.Errorf("the scaled base is %v, want %v", got, want)
	}
}

// TestFilter holds focus and ignore to google/pprof.
func TestFilter(t *testing.T) {
	for _, c := range []struct{ focus, ignore string }{
		{"walk", ""}, {"", "json"}, {"handle", "lru"}, {`^/src/`, ""}, {"code.go", "runtime"}, {"nothing|serve", "copy"},
	} {
		var focus, ignore *regexp.Regexp
		if c.focus != "" {
			focus = regexp.MustCompile(c.focus)
		}
		if c.ignore != "" {
			ignore = regexp.MustCompile(c.ignore)
		}
		theirs := flametest.Heap()
		theirs.FilterSamplesByName(focus, ignore, nil, nil)
		want := flametest.Decode(t, theirs)[0]
		got := newTree(t, flametest.Decode(t, flametest.Heap())[0], Options{Focus: focus, Ignore: ignore})
		for column := range want.SampleTypes {
			if diff := cmp.Diff(flametest.FiguresOf(want, column), summed(got, got.Self[column])); diff != "" {
				t.Errorf("focus %q, ignore %q:\n%s", c.focus, c.ignore, diff)
			}
		}
	}
}

func TestWhatCannotBeDrawn(t *testing.T) {
	all := flametest.Decode(t, flametest.Heap(), flametest.New("cpu/nanoseconds", flametest.Stack("main.main", 1)), flametest.New("alloc_space/bytes"), &pprof.Profile{})
	other := flametest.Decode(t, flametest.Heap())[0]
	for _, c := range []struct {
		p    *profile.Profile
		opts Options
		want string
	}{
		{all[0], Options{Type: "cpu"}, `profile "test" has no sample type "cpu"; it has alloc_space, inuse_space`},
		{all[0], Options{Base: all[1]}, "have no sample type in common"},
		{all[0], Options{Base: other}, "different dictionaries"},
		{all[0], Options{Focus: regexp.MustCompile("nothing")}, "no stack passes the filter; loosen"},
		{all[2], Options{}, `profile "test" holds no samples`},
		{all[3], Options{}, `has no sample types`},
	} {
		if _, err := New(c.p, c.opts); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestEmptyStackAndExtremes(t *testing.T) {
	p := flametest.New("n/count", flametest.Stack("main.f", -1<<63), flametest.Stack("main.g", 1<<63-1), flametest.Stack("main.f", -1<<63))
	p.Sample = append(p.Sample, &pprof.Sample{Value: []int64{5}})
	tree := newTree(t, flametest.Decode(t, p)[0], Options{})
	checkOrder(t, tree)
	for _, write := range []func(*Tree) error{writeNowhere((*Tree).WriteSVG), writeNowhere((*Tree).WriteHTML)} {
		if err := write(tree); err != nil {
			t.Error(err)
		}
	}
	// As deep as no stack is that ends.
	deep := newTree(t, flametest.Decode(t, flametest.New("n/count", flametest.Stack(strings.TrimSuffix(strings.Repeat("main.f > ", 20_000), " > "), 1)))[0], Options{})
	if len(deep.Parent) != 20_001 {
		t.Errorf("%d nodes", len(deep.Parent))
	}
	if err := writeNowhere((*Tree).WriteSVG)(deep); err != nil {
		t.Error(err)
	}
}
