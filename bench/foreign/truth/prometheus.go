package truth

var prometheus = Module{
	Name: "prometheus", Path: "github.com/prometheus/prometheus", Version: "v0.316.0",
	Args:    []string{"-bench", "BenchmarkParser", "./promql"},
	Compile: []string{"./promql"},
	Expect: []Place{
		{"promql/parser/ast.go:403-405", "", "32% of the bytes: the path of each walk escapes to the heap, though it is a buffer meant for the stack"},
		{"promql/parser/generated_parser.y.go:1839", "", "14% of the bytes: a selector"},
		{"promql/parser/ast.go:364-370", "append-without-room closure", "12% of the bytes: the path is copied at each level"},
		{"promql/engine.go:5207-5230", "", "8% of the bytes: a visitor and walks for each query"},
		{"model/labels/matcher.go:56-60", "", "5% of the bytes: a matcher"},
		{"promql/parser/parse.go:324", "append-without-room", "5% of the bytes: errors of a parse"},
		{"promql/parser/generated_parser.y.go:1366-1369", "", "8% of the bytes: a binary expression"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"promql/parser/generated_parser.y.go:1-3000", "", "nodes of the expression that is returned"},
		{"model/labels/matcher.go:50-80", "", "kept by the selector"},
		{"promql/parser/parse.go:310-330", "", "errors are returned"},
		{"promql/engine.go:5214-5300", "", "the expression is returned"},
	},
	Safe: []Place{
		{"promql/engine.go:5212", "", "the visitor is used by the walk and by nothing else"},
	},
	Advised: []Change{
		{For: "promql/engine.go:5212", What: "the visitor from a pool", Tests: []string{"./promql"}, Edits: []Edit{
			{"promql/engine.go:5212", `	v := durationVisitors.Get().(*durationVisitor)
	*v = durationVisitor{step: step, queryRange: end.Sub(start)}
	err := parser.Walk(v, expr, nil)
	durationVisitors.Put(v)
	if err != nil {`},
			{"promql/engine.go:5203", `
var durationVisitors = sync.Pool{New: func() any { return new(durationVisitor) }}
`},
		}},
	},
	Mode: "a heap floor or GOGC=400",
}
