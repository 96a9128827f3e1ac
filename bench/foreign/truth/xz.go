package truth

var xz = Module{
	Name: "xz", Path: "github.com/ulikunitz/xz", Version: "v0.5.17",
	Args:    []string{"-bench", ".", "."},
	Compile: []string{"."},
	Expect: []Place{
		{"lzma/hashtable.go:95-97", "request-buffer append-without-room library-garbage", "29% of the bytes: the tables of an encoder, made anew for each writer; a writer that can be reset"},
		{"lzma/hashtable.go:303-308", "boxing", "14% of the bytes: an operation in an interface for each literal and match"},
		{"lzma/decoder.go:60-127", "boxing", "14% of the bytes: the same in the decoder"},
		{"lzma/buffer.go:23", "request-buffer", "12% of the bytes: the dictionary of a writer"},
		{"writer.go:255-265", "append-without-room library-garbage", "7% of the bytes: the benchmark's own output buffer grows"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"lzma/hashtable.go:80-110", "", "kept by the writer that is returned"},
		{"lzma/buffer.go:15-25", "", "kept by the writer that is returned"},
		{"writer.go:255-265", "", "the caller's buffer"},
		{"lzma/hashtable.go:303-308", "", "the operation is returned"},
		{"lzma/decoder.go:60-127", "", "the operation is returned"},
	},
	Mode: "a heap floor or GOGC=400",
}
