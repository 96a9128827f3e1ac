package truth

var gomarkdown = Module{
	Name: "gomarkdown", Path: "github.com/gomarkdown/markdown", Version: "v0.0.0-20260411013819-759bbc3e3207",
	Args:    []string{"-bench", "ReferenceAmps|ReferenceMarkdownDocumentationSyntax|ReferenceBlockquotes", "."},
	Compile: []string{"."},
	Expect: []Place{
		{"html/smartypants.go:381-460", "arena closure library-garbage pointer-heap", "22% of the bytes: a renderer of 256 callbacks for each document; keep one"},
		{"parser/parser.go:140-215", "map-without-size arena library-garbage", "22% of the bytes: a parser with its tables for each document"},
		{"parser/inline.go:1368", "", "5% of the bytes: text nodes of the tree"},
		{"ast/node.go:445", "append-without-room", "5% of the bytes: children of a node"},
		{"html/renderer.go:160-175", "string-conversion append-without-room encoder", "escaping"},
		{"html/renderer.go:381", "string-conversion library-garbage append-without-room encoder", "4% of the bytes: the output buffer and a conversion for each text"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"parser/parser.go:570-580", "", "kept by the parser until the document is rendered"},
		{"html/renderer.go:381", "", "the buffer is the caller's, whose bytes Render returns"},
		{"parser/inline.go:1-1400", "", "nodes and their text are linked into the document, which is returned"},
		{"parser/block.go:1-2000", "", "linked into the document"},
		{"ast/node.go:400-460", "", "linked into the document"},
		{"html/smartypants.go:381-460", "", "the renderer is returned"},
		{"parser/parser.go:140-215", "", "the parser is returned"},
	},
	Safe: []Place{
		{"html/renderer.go:472-480", "", "its text is copied into an attribute"},
	},
	Advised: []Change{
		{For: "html/renderer.go:473-474", What: "the buffer from a pool", Tests: []string{"./html", "."}, Edits: []Edit{
			{"html/renderer.go:473-477", `	href := linkBuffers.Get().(*bytes.Buffer)
	href.Reset()
	href.WriteString("href=\"")
	EscLink(href, dest)
	href.WriteByte('"')
	attrs = append(attrs, href.String())
	linkBuffers.Put(href)`},
			{"html/renderer.go:468", `
var linkBuffers = sync.Pool{New: func() interface{} { return new(bytes.Buffer) }}
`},
			{"html/renderer.go:11", `	"strings"
	"sync"`},
		}},
	},
	Mode: "a heap floor or GOGC=400",
}
