package truth

var chi = Module{
	Name: "chi", Path: "github.com/go-chi/chi/v5", Version: "v5.5.0",
	Args:    []string{"-bench", "BenchmarkMux", "."},
	Compile: []string{"."},
	Expect: []Place{
		{"mux.go:87", "library-garbage arena", "64% of the bytes: a context and a request with it for each request; the two could be set in one copy"},
		{"mux.go:484-487", "library-garbage map-without-size append-without-room", "31% of the bytes: SetPathValue makes a map for each request with parameters"},
		{"context.go:147-170", "string-concatenation library-garbage", "3% of the bytes: the route's pattern"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"mux.go:87", "", "the request is handed to the handler, which may keep it"},
		{"mux.go:484-487", "", "kept by the request"},
		{"context.go:147-170", "", "returned"},
	},
	Mode: "a heap floor or GOGC=400",
}
