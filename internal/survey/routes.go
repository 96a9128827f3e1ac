package survey

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/heapwright/heapwright/internal/termtext"
)

// Route is a path that an HTTP server's source registers.
type Route struct {
	Method string `json:"method,omitempty"` // "" is any
	Path   string `json:"path"`             // parameters are as in the source, "/items/{id}"
}

func (r Route) String() string { return strings.TrimPrefix(r.Method+" "+r.Path, " ") }

// plain reports whether a GET of the path, as it is, reaches the handler.
func (r Route) plain() bool {
	return (r.Method == "" || r.Method == "GET") && !strings.ContainsAny(r.Path, "{:*<")
}

// aside are paths that say little about the work of a server.
var aside = regexp.MustCompile(`(?i)^/(debug|metrics|health\w*|live\w*|ready\w*|ping|status|version|favicon\.ico|robots\.txt|static|assets|public|docs|swagger)(/|$)`)

// Routes lists the first routes of a main package, which is named relative to a folder of
// its module, as "GET /items, POST /items and 3 more". The list is empty where the source
// shows none.
func Routes(dir, main string) string {
	root, err := Root(dir)
	if err != nil {
		return ""
	}
	m, err := Read(root)
	if err != nil {
		return ""
	}
	within, err := filepath.Rel(root, filepath.Join(dir, main))
	if err != nil {
		return ""
	}
	for _, p := range m.Mains {
		if path.Clean(p.Dir) == filepath.ToSlash(within) {
			return listed(p.Routes)
		}
	}
	return ""
}

// listed names at most five routes.
func listed(routes []Route) string {
	const most = 5
	var all []string
	for _, r := range routes {
		all = append(all, termtext.Harmless(r.String()))
	}
	if rest := len(all) - most; rest > 0 {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(all, ", ")
}

// likeliest returns the route that shows the most of the server's work with one GET: the
// first plain one, the root only if there is no other, and a probe or file at last.
func likeliest(routes []Route) (Route, bool) {
	plain := slices.DeleteFunc(slices.Clone(routes), func(r Route) bool { return !r.plain() })
	if len(plain) == 0 {
		return Route{}, false
	}
	rank := func(r Route) int {
		switch {
		case aside.MatchString(r.Path):
			return 2
		case r.Path == "/":
			return 1
		}
		return 0
	}
	return slices.MinFunc(plain, func(a, b Route) int { return cmp.Compare(rank(a), rank(b)) }), true
}

// routeMethods are the names of methods that register a route, with its HTTP method. They are
// the methods of net/http, chi, gin, echo, fiber, httprouter and gorilla/mux.
var routeMethods = map[string]string{
	"Handle": "", "HandleFunc": "", "Any": "", "All": "",
	"Get": "GET", "GET": "GET", "Post": "POST", "POST": "POST", "Put": "PUT", "PUT": "PUT",
	"Patch": "PATCH", "PATCH": "PATCH", "Delete": "DELETE", "DELETE": "DELETE",
}

// registersRoute finds the files that are worth parsing.
var registersRoute = regexp.MustCompile(`\.(Handle(r|Func|rFunc)?|Any|All|Get|GET|Post|POST|Method(Func)?)\(`)

// router follows the routes of one file in the order of its text.
type router struct {
	routes   []Route
	prefixes map[string]string // variable that holds a group of routes → its prefix
	counted  map[*ast.CallExpr]bool
}

// routesOf returns the routes that a file registers with constant paths.
func routesOf(f *ast.File) []Route {
	r := &router{prefixes: map[string]string{}, counted: map[*ast.CallExpr]bool{}}
	ast.Inspect(f, r.visit)
	return r.routes
}

func (r *router) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt: // api := r.Group("/api")
		if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
			if name, ok := n.Lhs[0].(*ast.Ident); ok {
				if prefix := r.prefix(n.Rhs[0]); prefix != "" {
					r.prefixes[name.Name] = prefix
				}
			}
		}
	case *ast.CallExpr:
		return r.call(n)
	}
	return true
}

// call adds the route that a call registers. A call with a function for the routes below a
// prefix is followed here.
func (r *router) call(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || r.counted[call] || len(call.Args) == 0 {
		return true
	}
	text, isText := literal(call.Args[0])
	switch fun.Sel.Name {
	case "Methods": // a gorilla/mux route
		if inner, ok := fun.X.(*ast.CallExpr); ok && isText {
			if at := len(r.routes); r.call(inner) && len(r.routes) > at {
				r.counted[inner] = true
				r.routes[at].Method = text
			}
		}
		return true
	case "Method", "MethodFunc", "HandlerFunc", "Handler": // r.Method("GET", "/items", h)
		if len(call.Args) > 2 && isText {
			if pattern, ok := literal(call.Args[1]); ok {
				r.add(text, r.prefix(fun.X)+pattern)
			}
		}
	case "Route", "Group": // func(r chi.Router) { … }
		if body, ok := call.Args[len(call.Args)-1].(*ast.FuncLit); ok && isText && len(body.Type.Params.List) == 1 &&
			len(body.Type.Params.List[0].Names) == 1 {
			name := body.Type.Params.List[0].Names[0].Name
			outer, had := r.prefixes[name]
			r.prefixes[name] = path.Join(r.prefix(fun.X), text)
			ast.Inspect(body.Body, r.visit)
			if r.prefixes[name] = outer; !had {
				delete(r.prefixes, name)
			}
			return false
		}
	default:
		method, ok := routeMethods[fun.Sel.Name]
		if !ok || !isText || len(call.Args) < 2 {
			return true
		}
		if m, pattern, ok := strings.Cut(text, " "); ok { // "GET /items" of net/http
			method, text = m, pattern
		}
		r.add(method, r.prefix(fun.X)+text)
	}
	return true
}

// add adds a route, unless its path is none: other packages have methods of these names.
func (r *router) add(method, pattern string) {
	at := strings.IndexByte(pattern, '/') // a host may come first
	if at < 0 || strings.ContainsFunc(pattern, unicode.IsControl) ||
		strings.ContainsAny(pattern, " ?#\\") || strings.Contains(pattern, "://") {
		return
	}
	pattern = strings.TrimSuffix(pattern[at:], "{$}")
	if route := (Route{method, pattern}); !slices.Contains(r.routes, route) {
		r.routes = append(r.routes, route)
	}
}

// prefix returns what the group of routes that an expression denotes puts before its paths.
func (r *router) prefix(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return r.prefixes[x.Name]
	case *ast.CallExpr:
		fun, ok := x.Fun.(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		below := r.prefix(fun.X)
		if n := fun.Sel.Name; (n == "Group" || n == "PathPrefix") && len(x.Args) > 0 {
			if text, ok := literal(x.Args[0]); ok {
				below = path.Join(below, text)
			}
		}
		return below
	}
	return ""
}

func literal(x ast.Expr) (string, bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
