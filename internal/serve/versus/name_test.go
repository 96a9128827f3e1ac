package versus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile"
)

// Functions have one number whatever release of Go gave them their names, and closures
// have their function's.
func TestNames(t *testing.T) {
	n := newNames()
	for _, f := range []profile.Function{
		{Name: "example.org/shop/cart.(*Cart).Add", File: "/src/shop/cart/cart.go"},
		{Name: "example.org/shop/cart.Item.Price", File: "/src/shop/cart/item.go"},
		{Name: "main.serve", File: "/src/shop/main.go"},
		{Name: "example.org/lib.Map[...]", File: "/go/pkg/mod/example.org/lib@v1.2.0/map.go"},
	} {
		pkg, rest := split(f.Name)
		n.known[place{rest, filepath.Base(f.File)}] = pkg + "." + rest
	}
	for _, c := range []struct{ name, file, same, as string }{
		{"example.org/shop/cart.(*Cart).Add.func1", "cart.go", "example.org/shop/cart.(*Cart).Add", "cart.go"},
		{"example.org/shop/cart.(*Cart).Add.func2.1", "cart.go", "example.org/shop/cart.(*Cart).Add", "cart.go"},
		{"example.org/shop/cart.(*Cart).Add.gowrap1", "cart.go", "example.org/shop/cart.(*Cart).Add", "cart.go"},
		{"example.org/shop/cart.(*Cart).Add-fm", "cart.go", "example.org/shop/cart.(*Cart).Add", "cart.go"},
		{"example.org/shop/cart.(*Cart).Add-range1", "cart.go", "example.org/shop/cart.(*Cart).Add", "cart.go"},
		{"main.serve.(*Cart).Add.func1", "cart.go", "example.org/shop/cart.(*Cart).Add", "cart.go"}, // inlined, until Go 1.26
		{"_.(*Cart).Add.func1", "cart.go", "example.org/shop/cart.(*Cart).Add", "cart.go"},          // since Go 1.27
		{"example.org/shop/cart.Item.Price.func1", "item.go", "example.org/shop/cart.Item.Price", "item.go"},
		{"main.main.serve.func3", "main.go", "main.serve", "main.go"},
		{"main.serve·dwrap·2", "main.go", "main.serve", "main.go"},
		{"example.org/lib.Map[go.shape.int].func1", "map.go", "example.org/lib.Map[...]", "map.go"},
		{"example.org/lib.Map[go.shape.struct { example.org/x.T }]", "map.go", "example.org/lib.Map[...]", "map.go"},
		{"main.glob..func1", "vars.go", "main.init.func2", "vars.go"}, // Go 1.20 and later ones
	} {
		one, own := n.of(profile.Function{Name: c.name, File: "/src/" + c.file})
		other, _ := n.of(profile.Function{Name: c.same, File: "/src/" + c.as})
		if one != other || !own {
			t.Errorf("%s is %q, and %s is %q", c.name, n.text(one), c.same, n.text(other))
		}
	}
	for _, name := range []string{"runtime.mallocgc", "runtime.mallocgcSmallScanNoHeaderSC5", "memeqbody", "sort.Slice.func1"} {
		if _, own := n.of(profile.Function{Name: name}); own {
			t.Errorf("%s is a function of the program", name)
		}
	}
}

// Profiles of one program, built by eight releases of Go, have the same functions.
func TestReleasesHaveTheSameFunctions(t *testing.T) {
	files, err := filepath.Glob("../../cost/testdata/*.pb.gz")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	var all []Process
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.NewDecoder(profile.Options{}).DecodeBytes(file, data)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Process{Profile: p})
	}
	tally, err := tallyOf(all, "cpu")
	if err != nil {
		t.Fatal(err)
	}
	for row := firstFunction; row < len(tally.names.shown); row++ {
		name := tally.names.text(row)
		if strings.Contains(name, "func") || !strings.HasPrefix(name, "main.") && !strings.HasSuffix(name, ".go") {
			t.Errorf("%s is a function of its own", name)
		}
	}
}
