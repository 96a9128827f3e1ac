package truth

var caddy = Module{
	Name: "caddy", Path: "github.com/caddyserver/caddy/v2", Version: "v2.11.9",
	Args: []string{"-load", "rate=400,duration=10s", "-main", "./cmd/caddy", "-url", "http://127.0.0.1:{port}/", "--",
		"file-server", "--templates", "--listen", "127.0.0.1:{port}", "--root", "{data}"},
	Files: map[string]func() string{"index.html": func() string {
		return "{{$n := 20}}<html><body><h1>{{.Host}}</h1>{{range $i := until $n}}<p>{{$i}} {{now | date \"2006\"}} {{upper \"abc\"}}</p>{{end}}</body></html>\n"
	}},
	Compile: []string{"./cmd/caddy"},
	Expect: []Place{
		{"modules/caddyhttp/templates/tplcontext.go:72", "formatting encoder library-garbage map-without-size", "39% of the bytes: all functions of sprig are put into the maps of a new template for each request"},
		{"modules/caddyhttp/templates/tplcontext.go:75-98", "formatting encoder library-garbage map-without-size closure", "38% of the bytes: the same for caddy's own functions"},
		{"modules/caddyhttp/templates/tplcontext.go:242-251", "formatting encoder library-garbage", "10% of the bytes: the template is parsed and executed for each request"},
		{"", "frequent-gc", "a live heap of some MiB"},
	},
	Unsafe: []Place{
		{"replacer.go:30-95", "", "the replacer is kept by the request's context"},
		{"modules/caddyhttp/server.go:1400-1430", "", "kept by the request's context"},
		{"modules/caddyhttp/templates/tplcontext.go:60-100", "", "the functions are kept by the template, and the garbage is text/template's, which takes no allocator"},
		{"modules/caddyhttp/server.go:620-660", "", "the map is the response's header, made by net/http"},
		{"modules/caddyhttp/templates/tplcontext.go:242-251", "", "text/template takes no allocator"},
	},
	Mode: "a heap floor or GOGC=400",
}
