package truth

var gojq = Module{
	Name: "gojq", Path: "github.com/itchyny/gojq", Version: "v0.12.20",
	Args:    []string{"-bench", "Run|Compile|BenchmarkParse", "."},
	Compile: []string{"."},
	Expect: []Place{
		{"compiler.go:1662", "append-without-room", "12% of the bytes: the instructions, without room"},
		{"parser.go:880-1100", "", "15% of the bytes: nodes of the query"},
		{"operator.go:300-330", "boxing closure library-garbage", "7% of the bytes: a sum in an interface"},
		{"compiler.go:295", "", "6% of the bytes: scopes"},
		{"compiler.go:232", "append-without-room", "5% of the bytes: variables of a scope"},
		{"compiler.go:1671-1672", "closure append-without-room", "3% of the bytes: a closure for each lazy instruction"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"stack.go:20-30", "", "kept by the iterator that the caller drains"},
		{"compiler.go:1-1700", "", "kept by the compiled code that is returned"},
		{"parser.go:1-2000", "", "nodes of the query that is returned"},
		{"operator.go:1-700", "", "values are handed to the caller"},
	},
	Mode: "a heap floor or GOGC=400",
}
