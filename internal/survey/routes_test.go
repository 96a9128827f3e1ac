package survey

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

func TestRoutes(t *testing.T) {
	for _, test := range []struct {
		source string
		want   []string
		best   string
	}{
		{`http.HandleFunc("/items", list); http.Handle("/debug/pprof/", nil)`, []string{"/items", "/debug/pprof/"}, "/items"},
		{`mux.HandleFunc("POST /items", add); mux.HandleFunc("GET /items/{id}", get); mux.HandleFunc("GET example.org/all", all)`,
			[]string{"POST /items", "GET /items/{id}", "GET /all"}, "/all"},
		{`mux.Handle("/{$}", root); mux.HandleFunc("/healthz", ok)`, []string{"/", "/healthz"}, "/"},
		{`r.Get("/ping", ok); r.Route("/api", func(r chi.Router) { r.Get("/", all); r.Route("/v1", func(r chi.Router) { r.Post("/x", x); r.Get("/y", y) }) }); r.Get("/z", z)`,
			[]string{"GET /ping", "GET /api/", "POST /api/v1/x", "GET /api/v1/y", "GET /z"}, "/api/"},
		{`v1 := r.Group("/v1"); users := v1.Group("/users"); users.GET("/:id", one); users.GET("", none); users.GET("/all", all); r.Group("/in").GET("/line", h)`,
			[]string{"GET /v1/users/:id", "GET /v1/users", "GET /v1/users/all", "GET /in/line"}, "/v1/users"},
		{`s := r.PathPrefix("/shop").Subrouter(); s.HandleFunc("/cart", h).Methods("POST"); s.HandleFunc("/list", h).Methods("GET", "HEAD")`,
			[]string{"POST /shop/cart", "GET /shop/list"}, "/shop/list"},
		{`r.Method("GET", "/m", h); router.Handler("POST", "/n", h)`, []string{"GET /m", "POST /n"}, "/m"},
		{`v := cache.Get("/not/a/route"); u, _ := http.Get("http://example.org/x"); c.Post("http://x/y", t, b); e.Handle("topic", h)`, nil, ""},
		{`mux.HandleFunc(prefix+"/x", h); mux.HandleFunc("GET /a/{id}", h)`, []string{"GET /a/{id}"}, ""},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "main.go", "package main\nfunc main() {"+test.source+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		routes := routesOf(f)
		var got []string
		for _, r := range routes {
			got = append(got, r.String())
		}
		best, _ := likeliest(routes)
		if !slices.Equal(got, test.want) || best.Path != test.best {
			t.Errorf("%s\ngot  %q, best %q\nwant %q, best %q", test.source, got, best.Path, test.want, test.best)
		}
	}
}
