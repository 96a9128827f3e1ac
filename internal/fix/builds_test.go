package fix

import (
	"path/filepath"
	"strings"
	"testing"
)

// The builds of files that are left out here are type-checked. One that the change breaks is
// named, and one that is broken anyway says nothing.
func TestOtherBuilds(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"x/x_plan9.go":  "package x\n\nvar system = Double(1)\n",
		"x/odd.go":      "//go:build odd && !even\n\npackage x\n\nvar odd = Double(1)\n",
		"x/broken.go":   "//go:build broken\n\npackage x\n\nvar broken = undefined\n",
		"x/run.go":      "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
		"x/arenas.go":   "//go:build goexperiment.arenas\n\npackage x\n\nimport \"arena\"\n\nvar mem = arena.NewArena()\n",
		"x/x_wasm.go":   "package x\n\nvar wasm = Double(1)\n",
		"x/x_odd_js.go": "package x\n",
	}
	dir := module(t, files)
	for name, c := range map[string]struct{ old, new, output string }{
		"fine":   {"n + n", "2 * n", "js/wasm, tags odd, plan9/"},
		"broken": {"Double(n int)", "Double(n, m int)", "not enough arguments in call to Double"},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := copyTree(t.Context(), dir, "")
			if err != nil {
				t.Fatal(err)
			}
			defer w.remove()
			texts := map[string][]byte{filepath.Join(w.root, "x", "x.go"): []byte(strings.Replace(before, c.old, c.new, 1))}
			if err := w.write(texts); err != nil {
				t.Fatal(err)
			}
			s, err := w.otherBuilds(t.Context(), DefaultTests, texts)
			if err != nil {
				t.Fatal(err)
			}
			if s.Passed != (name == "fine") || s.Name == "" {
				t.Errorf("%+v", s)
			}
			for _, want := range strings.Split(c.output, ", ") {
				if !strings.Contains(s.Output, want) {
					t.Errorf("%q is not in %q", want, s.Output)
				}
			}
			if strings.Contains(s.Output, "tags broken") {
				t.Errorf("a broken build counts: %q", s.Output)
			}
		})
	}
}
