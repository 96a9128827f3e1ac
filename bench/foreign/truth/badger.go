package truth

var badger = Module{
	Name: "badger", Path: "github.com/dgraph-io/badger/v4", Version: "v4.9.6",
	Args:    []string{"-bench", "Builder|ReadMerged", "./table"},
	Compile: []string{"./table"},
	Expect: []Place{
		{"table/builder.go:95-135", "library-garbage request-buffer", "72% of the bytes: the allocator of a table, by z.Calloc"},
		{"table/builder.go:209-210", "append-without-room", "9% of the bytes: hashes of the keys, without room"},
		{"table/builder.go:391", "request-buffer", "8% of the bytes: the table"},
		{"table/builder.go:236", "append-without-room", "5% of the bytes: offsets of a block, without room"},
		{"table/builder.go:140-205", "library-garbage", "buffers from the builder's allocator"},
		{"table/builder.go:340-346", "library-garbage", "31% of the bytes: the buffer of each block, from that allocator"},
		{"table/builder.go:505-521", "library-garbage", "25% of the bytes: the buffers that blocks are compressed to, from that allocator"},
		{"table/builder.go:236-330", "library-garbage append-without-room", "blocks are copied and grow"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"table/builder.go:80-140", "", "kept by the builder that is returned"},
		{"table/builder.go:205-245", "", "kept by the builder and its block until the table is written"},
		{"table/builder.go:391", "", "the table is returned"},
	},
	Mode: "a heap floor or GOGC=400",
}
