package truth

import (
	"fmt"
	"strings"
)

// Inputs are the files of our own that a run reads, by name.
func (m *Module) Inputs() map[string]string {
	if m.Name == "esbuild" {
		return esbuildInput()
	}
	return m.inputs
}

// esbuildInput is a program of our own in 300 modules.
func esbuildInput() map[string]string {
	files := map[string]string{}
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "import {Cart%d, total%d} from './part%d.js';\nconsole.log(new Cart%d().add({price: %d}), total%d([1, 2, 3]));\n", i, i, i, i, i, i)
		files[fmt.Sprintf("part%d.js", i)] = esbuildPart(i)
	}
	files["main.js"] = b.String()
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
