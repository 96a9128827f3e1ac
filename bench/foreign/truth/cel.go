package truth

var cel = Module{
	Name: "cel-go", Path: "github.com/google/cel-go", Version: "v0.32.0",
	Args:    []string{"-bench", "BenchmarkParse$", "./parser"},
	Compile: []string{"./parser"},
	Expect: []Place{
		{"parser/gen/cel_parser.go:2019", "library-garbage", "76% of the bytes: antlr's prediction"},
		{"parser/gen/cel_parser.go:1-9000", "library-garbage arena", "nodes and predictions of the generated parser"},
		{"github.com/antlr4-go/antlr/v4@v4.13.1/lexer_atn_simulator.go:1-900", "", "antlr's own lines"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"parser/gen/cel_parser.go:1-9000", "", "nodes of the tree are returned to the visitor; antlr's states are kept in a cache between parses"},
	},
	Mode: "a heap floor or GOGC=400",
}
