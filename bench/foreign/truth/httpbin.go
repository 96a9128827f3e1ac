package truth

var httpbin = Module{
	Name: "go-httpbin", Path: "github.com/mccutchen/go-httpbin/v2", Version: "v2.26.0",
	Args: []string{"-load", "rate=400,duration=8s", "-main", "./cmd/go-httpbin", "-url", "http://127.0.0.1:{port}/get?a=1&b=2", "--",
		"-host", "127.0.0.1", "-port", "{port}"},
	Compile: []string{"./cmd/go-httpbin"},
	Expect: []Place{
		{"httpbin/helpers.go:58", "library-garbage", "the name of the header is not in canonical form, so that Get makes one for each request"},
		{"httpbin/helpers.go:185-200", "encoder library-garbage", "57% of the bytes: the answer is encoded with indents into a new slice, then copied"},
		{"httpbin/handlers.go:59-65", "library-garbage formatting encoder", "24% of the bytes: the query is parsed, headers are cloned"},
		{"httpbin/middleware.go:1-120", "library-garbage", "12% of the bytes: headers of each answer"},
		{"httpbin/helpers.go:90-110", "library-garbage", "4% of the bytes: a URL"},
		{"httpbin/middleware.go:120-220", "formatting encoder library-garbage boxing", "a line of the log for each request"},
		{"", "frequent-gc", "a live heap of a few MiB"},
	},
	Unsafe: []Place{
		{"httpbin/handlers.go:59-65", "", "net/url and net/http make the maps, and take no allocator"},
		{"httpbin/middleware.go:1-220", "", "headers are kept by the response"},
	},
	Safe: []Place{
		{"httpbin/helpers.go:90-110", "arena request-buffer", "the URL is returned to handlers, which call its String and drop it; the arena or pool has to be theirs"},
	},
	Advised: []Change{
		{For: "httpbin/helpers.go:97", What: "the URL from a pool of the handler's", Tests: []string{"./httpbin"}, Edits: []Edit{
			{"httpbin/handlers.go:64", `		URL:     textOf(getURL(r)),`},
			{"httpbin/helpers.go:107", `	}
	return u`},
			{"httpbin/helpers.go:97", `	u := urls.Get().(*url.URL)
	*u = url.URL{`},
			{"httpbin/helpers.go:76", `
var urls = sync.Pool{New: func() any { return new(url.URL) }}

func textOf(u *url.URL) string {
	defer urls.Put(u)
	return u.String()
}
`},
		}},
	},
	Mode: "a heap floor or GOGC=400",
}
