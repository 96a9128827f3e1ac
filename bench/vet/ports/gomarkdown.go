package main

import "github.com/heapwright/heapwright/bench/foreign/truth"

var gomarkdown = &Port{
	Name: "gomarkdown", Path: "github.com/gomarkdown/markdown", Version: "v0.0.0-20260411013819-759bbc3e3207",
	Lifetimes: "A pool for the package. ToHTML frees by defer. The parser holds the arena in a field, with a Slab for texts. Workers have an arena each and reset it between pages. Clone, Promote and channels take values out.",
	Moves: []Move{
		{"parser/inline.go", "inTree(p, ", []string{"ast.Link", "ast.Image", "ast.Code", "ast.Emph", "ast.Strong", "ast.HTMLSpan", "ast.Hardbreak", "ast.Math"}},
		{"parser/block.go", "inTree(p, ", []string{"ast.Heading", "ast.List", "ast.ListItem", "ast.Paragraph", "ast.BlockQuote", "ast.CodeBlock"}},
		{"parser/block_table.go", "inTree(p, ", []string{"ast.TableRow", "ast.TableCell", "ast.Table"}},
	},
	Swaps: []Swap{
		{"parser/inline.go", "newTextNode(", "newTextNode(p, "},
	},
	Edits: []truth.Edit{
		{At: "markdown.go:76+", Lines: `	a := trees.Get()
	defer a.Free()
	return toHTML(a, markdown, p, renderer)
}

// toHTML renders a document. Of a parser that the caller brings, the tree is kept.
func toHTML(a *arena.Arena, markdown []byte, p *parser.Parser, renderer Renderer) []byte {
	if p == nil {
		p = parser.New().In(a)
	}`},
		{At: "markdown.go:11+", Lines: `var trees arena.Pool
`},
		{At: "markdown.go:9+", Lines: `	"github.com/heapwright/heapwright/arena"`},
		{At: "parser/block.go:1403", Lines: `	raw := arena.NewBuffer(p.nodes, 0)`},
		{At: "parser/block.go:1072", Lines: `	raw := arena.NewBuffer(p.nodes, 0)`},
		{At: "parser/block.go:10+", Lines: `	"github.com/heapwright/heapwright/arena"`},
		{At: "parser/block_table.go:179", Lines: `	columns = arena.MakeSlice[ast.CellAlignFlags](p.nodes, colCount, colCount)`},
		{At: "parser/block_table.go:3+", Lines: `import "github.com/heapwright/heapwright/arena"`},
		{At: "parser/inline.go:1366-1367", Lines: `func newTextNode(p *Parser, d []byte) *ast.Text {
	if p.texts == nil {
		p.In(p.nodes)
	}
	t := p.texts.New()
	t.Literal = d
	return t`},
		{At: "parser/inline.go:993-994", Lines: `	uLink := arena.NewBuffer(p.nodes, 0)
	unescapeText(uLink, data[:linkEnd])`},
		{At: "parser/inline.go:766", Lines: `func unescapeText(ob *arena.Buffer, src []byte) {`},
		{At: "parser/inline.go:725-726", Lines: `	uLink := arena.NewBuffer(p.nodes, 0)
	unescapeText(uLink, data[1:end+1-2])`},
		{At: "parser/inline.go:602-603", Lines: `			uLinkBuf := arena.NewBuffer(p.nodes, len(link))
			unescapeText(uLinkBuf, link)`},
		{At: "parser/inline.go:8+", Lines: `	"github.com/heapwright/heapwright/arena"`},
		{At: "parser/parser.go:128+", Lines: `
	nodes *arena.Arena // of the tree; nil is the heap
	texts *arena.Slab[ast.Text]`},
		{At: "parser/parser.go:14+", Lines: `	"github.com/heapwright/heapwright/arena"`},
	},
	Packages: []string{".", "./parser"},
	Race:     true,
	Plants:   gomarkdownPlants,
}
