package truth

var expr = Module{
	Name: "expr", Path: "github.com/expr-lang/expr", Version: "v1.17.8",
	Args:    []string{"-bench", "filterMap|Benchmark_expr$|Benchmark_sort", "."},
	Compile: []string{"."},
	Expect: []Place{
		{"vm/vm.go:73", "append-without-room request-buffer", "24% of the bytes: a stack of two for each run, which then grows; a machine can be kept"},
		{"builtin/builtin.go:979-1005", "request-buffer append-without-room", "19% of the bytes: sort copies its argument"},
		{"vm/vm.go:569-573", "request-buffer append-without-room", "24% of the bytes: two slices of all elements for sortBy"},
		{"vm/utils.go:30-44", "boxing library-garbage formatting", "12% of the bytes: an element in an interface for each step"},
		{"vm/vm.go:668", "append-without-room", "8% of the bytes: the stack grows"},
		{"vm/vm.go:481", "", "4% of the bytes: an array"},
		{"vm/vm.go:702", "append-without-room", "4% of the bytes: the pool of scopes grows"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"builtin/builtin.go:970-1010", "", "the array is returned as the result"},
		{"vm/vm.go:73", "", "kept by the machine"},
		{"vm/vm.go:569-573", "", "the sorted array is pushed on the stack and returned"},
		{"vm/utils.go:30-44", "", "pushed on the stack"},
		{"vm/vm.go:668", "", "the stack is kept by the machine"},
		{"vm/vm.go:481", "", "pushed on the stack and returned"},
		{"vm/vm.go:702", "", "kept by the machine"},
	},
	Mode: "a heap floor or GOGC=400",
}
