package truth

var xnethtml = Module{
	Name: "x-net-html", Path: "golang.org/x/net", Version: "v0.62.0",
	Args:    []string{"-bench", "Parser|Tokenizer", "./html"},
	Compile: []string{"./html"},
	Expect: []Place{
		{"html/parse.go:325-328", "", "34% of the bytes: text nodes of the tree"},
		{"html/parse.go:353-358", "", "22% of the bytes: element nodes of the tree"},
		{"html/token.go:1259", "string-conversion", "15% of the bytes: the text of a token, kept by the tree"},
		{"html/token.go:1227", "library-garbage string-conversion", "11% of the bytes: ReplaceAll copies each tag's name though it holds no NUL; ask first"},
		{"html/token.go:1265", "append-without-room string-conversion", "6% of the bytes: attributes of a token"},
		{"html/token.go:904", "string-conversion library-garbage request-buffer", "4% of the bytes: a copy of each attribute's name, and a string of it, to look it up"},
		{"html/token.go:1290-1305", "request-buffer", "3% of the bytes: the buffer of a tokenizer"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"html/parse.go:300-370", "", "nodes of the tree that Parse returns"},
		{"html/token.go:1250-1285", "", "text and attributes are kept by the nodes"},
		{"html/token.go:904", "", "the key is kept by the map attrNames"},
		{"html/token.go:1290-1305", "", "the tokenizer is returned"},
	},
	Mode: "a heap floor or GOGC=400",
}
