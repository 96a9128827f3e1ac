package truth

var shfmt = Module{
	Name: "sh", Path: "mvdan.cc/sh/v3", Version: "v3.14.1",
	Args:    []string{"-bench", "BenchmarkParse|BenchmarkPrint", "./syntax"},
	Compile: []string{"./syntax"},
	Expect: []Place{
		{"syntax/parser.go:2112", "", "17% of the bytes: a statement; others of the parser are made in batches of 32, this is not"},
		{"syntax/parser.go:600-630", "", "29% of the bytes: literals and words in batches of 32"},
		{"syntax/parser.go:638-650", "", "13% of the bytes: a call with its first words; a batch as for words"},
		{"syntax/printer.go:479-490", "", "9% of the bytes: a printer for each here-document; keep one"},
		{"syntax/printer.go:642", "append-without-room", "4% of the bytes: comments"},
		{"syntax/parser.go:1118-1125", "append-without-room closure", "4% of the bytes: statements of a list"},
		{"syntax/parser.go:1456", "", "3% of the bytes: parameter expansions"},
		{"syntax/lexer.go:980-995", "string-conversion", "3% of the bytes: the text of literals"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"syntax/parser.go:1-2700", "", "nodes of the tree that Parse returns"},
		{"syntax/printer.go:642", "", "flushHeredocs saves the slice while others are appended"},
		{"syntax/lexer.go:1-1500", "", "text of the tree that Parse returns"},
	},
	Safe: []Place{
		{"syntax/printer.go:1480-1500", "", "the comments are copied before the function returns"},
	},
	Mode: "a heap floor or GOGC=400",
}
