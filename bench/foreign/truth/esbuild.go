package truth

import (
	"fmt"
	"strings"
)

var esbuild = Module{
	Name: "esbuild", Path: "github.com/evanw/esbuild", Version: "v0.28.2",
	Args:    []string{"-main", "./cmd/esbuild", "--", "--bundle", "--minify", "--sourcemap", "--log-level=error", "--outfile={data}/out.js", "{data}/main.js"},
	Files:   esbuildInput(),
	Compile: []string{"./cmd/esbuild"},
	Expect: []Place{
		{"internal/js_parser/js_parser.go:1171-1174", "map-without-size arena pointer-heap", "10% of the bytes: a scope with a map for each function and block, though most scopes declare nothing"},
		{"internal/js_parser/js_parser.go:1205", "append-without-room map-without-size pointer-heap", "8% of the bytes: the arguments are copied into the map of the body's scope"},
		{"internal/js_parser/js_parser.go:1343", "append-without-room", "7% of the bytes: the symbols of a file, without room"},
		{"internal/js_parser/js_parser.go:1519", "map-without-size pointer-heap", "7% of the bytes: the scope's map grows"},
		{"internal/sourcemap/sourcemap.go:91-112", "append-without-room", "6% of the bytes: mappings are appended byte by byte"},
		{"internal/sourcemap/sourcemap.go:475", "append-without-room", "3% of the bytes: the same buffer"},
		{"internal/js_printer/js_printer.go:313", "append-without-room", "5% of the bytes: the output of a file, though its size is about the source's"},
	},
	Wrong: []Place{
		{"", "frequent-gc", "a build switches the collector off"},
		{"internal/js_parser/js_parser.go:1-20000", "unbounded-growth", "a tree that is built once by a command that ends"},
		{"internal/js_parser/js_parser.go:1934", "retention", "the graph keeps the source until the output is written: a copy of each name would be added to it"},
	},
	Unsafe: []Place{
		{"internal/js_parser/js_parser.go:1-20000", "", "the tree, its scopes and symbols are returned and live until the output is linked"},
		{"internal/sourcemap/sourcemap.go:80-480", "", "the buffer is returned"},
		{"internal/js_printer/js_printer.go:300-320", "", "the output is returned"},
		{"internal/helpers/joiner.go:50-75", "", "returned, and written at the end"},
		{"internal/graph/graph.go:100-400", "", "the linker's graph"},
	},
	Mode: "default: esbuild switches the collector off itself",
}

// esbuildInput is a program of our own in 300 modules.
func esbuildInput() map[string]func() string {
	const modules = 300
	files := map[string]func() string{"main.js": func() string {
		var b strings.Builder
		for i := range modules {
			fmt.Fprintf(&b, "import {Cart%d, total%d} from './part%d.js';\nconsole.log(new Cart%d().add({price: %d}), total%d([1, 2, 3]));\n", i, i, i, i, i, i)
		}
		return b.String()
	}}
	for i := range modules {
		files[fmt.Sprintf("part%d.js", i)] = func() string { return esbuildPart(i) }
	}
	return files
}

func esbuildPart(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "export function total%d(prices) { let sum = 0; for (const price of prices) sum += price; return sum; }\n", i)
	fmt.Fprintf(&b, "export class Cart%d {\n  items = [];\n  add({price, count = 1}) { this.items.push({price, count}); return this; }\n", i)
	for n := range 150 {
		fmt.Fprintf(&b, "  discount%d(rate, ...rest) { const found = this.items.filter(item => item.price > rate * %d && item?.count !== null);\n", n, n)
		fmt.Fprintf(&b, "    return `${found.length} of ${this.items.length} at ${rate}` + rest.map((r, index) => r ** 2 + index).join(', '); }\n")
	}
	b.WriteString("}\n")
	return b.String()
}
