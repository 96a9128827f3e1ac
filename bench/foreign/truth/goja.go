package truth

var goja = Module{
	Name: "goja", Path: "github.com/dop251/goja", Version: "v0.0.0-20260917113740-793a2a65c13b",
	Args:    []string{"-bench", "BenchmarkNew|BenchmarkCompile|BenchmarkCall", "."},
	Compile: []string{"."},
	Expect: []Place{
		{"runtime.go:1299-1301", "pointer-heap arena library-garbage", "32% of the bytes: the Runtime itself, a large struct, for each runtime"},
		{"vm.go:456", "request-buffer append-without-room arena", "26% of the bytes: a stack that doubles; it could begin larger"},
		{"runtime.go:457-459", "arena", "9% of the bytes: the machine of a runtime"},
		{"object_template.go:69-80", "arena", "8% of the bytes: objects of a template"},
		{"compiler.go:1275", "append-without-room", "3% of the bytes: instructions"},
		{"object.go:273", "map-without-size", "3% of the bytes: a map for each object"},
		{"builtin_regexp.go:263", "encoder library-garbage", "2% of the bytes: a regular expression"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"runtime.go:1-1310", "", "kept by the Runtime that New returns"},
		{"vm.go:445-460", "", "kept by the machine's stack"},
		{"object_template.go:60-90", "", "kept by the Runtime"},
		{"compiler.go:1-1300", "", "kept by the program that Compile returns"},
		{"object.go:268-275", "", "kept by the object"},
		{"parser/parser.go:1-300", "", "kept by the tree that is returned"},
	},
	Mode: "a heap floor or GOGC=400",
}
