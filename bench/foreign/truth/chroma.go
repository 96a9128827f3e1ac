package truth

var chroma = Module{
	Name: "chroma", Path: "github.com/alecthomas/chroma/v2", Version: "v2.27.0",
	Args:    []string{"-bench", "HTMLFormatter", "./formatters/html"},
	Compile: []string{"./formatters/html"},
	Expect: []Place{
		{"regexp.go:502", "library-garbage encoder", "43% of the bytes: regexp2 makes a match text for every try of every rule"},
		{"github.com/dlclark/regexp2/v2@v2.2.1/match.go:84", "", "the same, at the library's line"},
		{"regexp.go:505-510", "map-without-size append-without-room library-garbage", "15% of the bytes: a map and a slice for each match, though most rules have no named group"},
		{"iterator.go:16", "append-without-room", "4% of the bytes: all tokens in one slice that grows"},
		{"iterator.go:71-84", "append-without-room arena", "5% of the bytes: a slice for each line"},
		{"formatters/html/html.go:324-330", "formatting library-garbage", "a text is formatted for each token and then written"},
		{"formatters/html/html.go:420-421", "formatting append-without-room library-garbage", "a style is joined and formatted for each token"},
		{"types.go:354", "", "3% of the bytes: a closure over one token for each token"},
		{"", "frequent-gc", "4 MiB live: the collector runs many times a second and takes a fifth of CPU"},
	},
	Wrong: []Place{
		{"remap.go:80", "map-without-size", "the package fills it once, when it is initialized"},
	},
	Unsafe: []Place{
		{"regexp.go:155-230", "", "tokens leave with the iterator"},
		{"regexp.go:478-490", "", "the state is captured by the iterator that is returned"},
		{"regexp.go:499-516", "", "groups and namedGroups are stored in the LexerState and handed to emitters and mutators"},
		{"iterator.go:14-100", "", "returned to the caller"},
		{"types.go:350-356", "", "the iterator is returned and pushed on the state's stack"},
	},
	Safe: []Place{
		{"regexp.go:517-535", "", "the bytes are copied into the string that is returned"},
	},
	Mode: "a heap floor or GOGC=400",
}
