package pooled

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ast/inspector"
)

// The facts about functions, in their package and in one that imports it, whose pool is
// found through a wrapper of the first, with the functions that handle its values.
func TestHelpers(t *testing.T) {
	results := analysistest.Run(t, analysistest.TestData(), Analyzer, "a", "b")
	b := slices.IndexFunc(results, func(r *analysistest.Result) bool { return r.Pass.Pkg.Path() == "b" })
	wantPool(t, results[b].Result.(*Helpers))
}

// A helper is described again only when a function that it calls has changed, however
// many call each other.
func TestHelpersOfAChain(t *testing.T) {
	const n = 200
	var text strings.Builder
	text.WriteString("package chain\n\nimport \"sync\"\n\nvar pool sync.Pool\n")
	for i := range n { // each calls one that is declared below it
		fmt.Fprintf(&text, "func put%d(b *[]byte) { put%d(b) }\nfunc get%d() *[]byte { return get%d() }\n", i, i+1, i, i+1)
	}
	fmt.Fprintf(&text, "func put%d(b *[]byte) { pool.Put(b) }\nfunc get%d() *[]byte { return pool.Get().(*[]byte) }\n", n, n)
	dir, remove, err := analysistest.WriteFiles(map[string]string{"chain/chain.go": text.String()})
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	pkg := analysistest.Run(withoutFacts{t}, dir, Analyzer, "chain")[0].Action.Package
	h := &Helpers{info: pkg.TypesInfo, known: map[*types.Func]Helper{}}
	described := h.findHelpers(inspector.New(pkg.Syntax).Root())
	if functions := 2 * (n + 1); described != 2*functions-2 { // once, and once more for each but the last two
		t.Errorf("%d descriptions of %d functions", described, functions)
	}
	if len(h.known) != 2*(n+1) {
		t.Errorf("%d helpers, want %d", len(h.known), 2*(n+1))
	}
}

// withoutFacts does not compare facts with comments of the source.
type withoutFacts struct{ analysistest.Testing }

func (withoutFacts) Errorf(string, ...any) {}

func wantPool(t *testing.T, helpers *Helpers) {
	t.Helper()
	pools := helpers.Pools()
	if len(pools) != 1 {
		t.Fatalf("%d pools, want 1", len(pools))
	}
	if p := pools[0]; len(p.Puts) != 1 || !p.Whole || p.Class {
		t.Errorf("%d puts, whole %v, class %v; want 1, true, false", len(p.Puts), p.Whole, p.Class)
	}
	var names []string
	for _, scope := range pools[0].Scopes {
		names = append(names, scope.fn.Name())
	}
	if len(names) != 2 || names[0] != "pools" || names[1] != "fill" {
		t.Errorf("the scopes are %v, want pools and fill", names)
	}
}

// A field has one variable wherever it is written.
func TestPlace(t *testing.T) {
	v := types.NewVar(0, types.NewPackage("p", "p"), "x", types.Typ[types.Int])
	f := types.NewField(0, nil, "f", types.Typ[types.Int], false)
	g := types.NewField(0, nil, "g", types.Typ[types.Int], false)
	h := new(Helpers)
	xf := h.field(v, f)
	xfg := h.field(xf, g)
	if xf != h.field(v, f) || xfg != h.field(h.field(v, f), g) {
		t.Error("a field has two variables")
	}
	if xfg.Name() != "x.f.g" || h.Root(xfg) != v || h.Root(v) != v {
		t.Errorf("%s has the root %v", xfg.Name(), h.Root(xfg))
	}
	if !h.Passes(xfg, f) || !h.Passes(xfg, g) || h.Passes(xf, g) || h.Passes(v, f) {
		t.Error("the fields on the way to a place are wrong")
	}
}

// The checks of a package ask at the same time.
func TestPlaceConcurrently(t *testing.T) {
	v := types.NewVar(0, types.NewPackage("p", "p"), "x", types.Typ[types.Int])
	h := new(Helpers)
	var fields [100]*types.Var
	for i := range fields {
		fields[i] = types.NewField(0, nil, "f", types.Typ[types.Int], false)
	}
	var found [4][len(fields)]*types.Var
	var all sync.WaitGroup
	for i := range found {
		all.Go(func() {
			for j, f := range fields {
				found[i][j] = h.field(v, f)
				if h.Root(found[i][j]) != v {
					t.Errorf("the root of a field is %v", h.Root(found[i][j]))
				}
			}
		})
	}
	all.Wait()
	for _, f := range found {
		if f != found[0] {
			t.Error("a field has two variables")
		}
	}
}
