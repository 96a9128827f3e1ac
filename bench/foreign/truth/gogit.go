package truth

var gogit = Module{
	Name: "go-git", Path: "github.com/go-git/go-git/v5", Version: "v5.19.3",
	Args:    []string{"-bench", ".", "./plumbing/format/packfile"},
	Compile: []string{"./plumbing/format/packfile"},
	Expect: []Place{
		{"plumbing/cache/buffer_lru.go:44", "map-without-size request-buffer", "24% of the bytes: the map of a cache is made for 1000 entries though a pack may have a few"},
		{"plumbing/format/packfile/patch_delta.go:328", "request-buffer encoder library-garbage", "18% of the bytes: a buffered reader of 1 KiB for each delta; take it from a pool"},
		{"plumbing/format/packfile/parser.go:491", "request-buffer append-without-room", "11% of the bytes: a copy for the cache"},
		{"plumbing/format/packfile/scanner.go:565-569", "request-buffer library-garbage", "8% of the bytes: a buffered reader and writer for each scanner"},
		{"plumbing/memory.go:54", "append-without-room", "5% of the bytes: an object's content grows"},
		{"plumbing/hash/hash.go:55-60", "library-garbage request-buffer", "5% of the bytes: a hash for each delta"},
		{"plumbing/format/packfile/scanner.go:294", "", "4% of the bytes: a header for each object"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"plumbing/cache/buffer_lru.go:40-70", "", "the cache's own map"},
		{"plumbing/format/packfile/parser.go:485-495", "", "put into the cache"},
		{"plumbing/format/packfile/scanner.go:290-300", "", "kept as s.pendingObject and returned"},
		{"plumbing/memory.go:50-60", "", "the object's content"},
		{"plumbing/format/packfile/scanner.go:565-569", "", "kept by the scanner that is returned"},
		{"plumbing/hash/hash.go:55-60", "", "returned"},
	},
	Safe: []Place{
		{"plumbing/hash.go:51", "", "written to a hash, which keeps nothing"},
		{"plumbing/format/packfile/patch_delta.go:328", "", "used until patchDeltaWriter returns"},
	},
	Advised: []Change{
		{For: "plumbing/hash.go:51", What: "one space for all headers", Tests: []string{"./plumbing", "./plumbing/format/packfile"}, Edits: []Edit{
			{"plumbing/hash.go:51", `	h.Write(space)`},
			{"plumbing/hash.go:47", `
var space = []byte(" ")
`},
		}},
		{For: "plumbing/format/packfile/patch_delta.go:328", What: "the reader from a pool", Tests: []string{"./plumbing/format/packfile"}, Edits: []Edit{
			{"plumbing/format/packfile/patch_delta.go:328", `	deltaBuf := sync.GetBufioReader(delta)
	defer sync.PutBufioReader(deltaBuf)`},
		}},
	},
	Mode: "a heap floor or GOGC=400",
}
