package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A container is a type that keeps the values that its methods get.
type container struct {
	puts, removes []string // names of methods
	prefixes      bool     // the names are beginnings of names
	single        bool     // it holds one value: the next replaces it
	bounded       bool     // it evicts values of its own
}

// containers are the types of the standard library that keep values for long. A sync.Pool is
// not one, because the collector empties it.
var containers = map[string]container{
	"sync.Map": {puts: []string{"Store", "LoadOrStore", "Swap"},
		removes: []string{"Delete", "LoadAndDelete", "CompareAndDelete", "Clear"}},
	"container/list.List": {puts: []string{"PushFront", "PushBack", "PushFrontList", "PushBackList",
		"InsertBefore", "InsertAfter"},
		removes: []string{"Remove", "Init"}},
	"sync/atomic.Pointer": {puts: []string{"Store", "Swap"}, single: true},
	"sync/atomic.Value":   {puts: []string{"Store", "Swap"}, single: true},
}

// foreign is a cache or queue of another module, recognized by its methods alone.
var foreign = container{
	puts:     []string{"Set", "Add", "Put", "Store", "Insert", "Push", "Enqueue"},
	removes:  []string{"Del", "Remove", "Evict", "Purge", "Pop", "Dequeue", "Clear", "Flush", "Expire", "Invalidate"},
	prefixes: true,
}

// bounded are caches of other modules that evict values once they are full, by package path
// without its major version, and name.
var bounded = []string{
	"github.com/coocood/freecache.Cache",
	"github.com/dgraph-io/ristretto.Cache",
	"github.com/elastic/go-freelru.LRU", "github.com/elastic/go-freelru.ShardedLRU",
	"github.com/elastic/go-freelru.SyncedLRU",
	"github.com/hashicorp/golang-lru.ARCCache", "github.com/hashicorp/golang-lru.Cache",
	"github.com/hashicorp/golang-lru.TwoQueueCache", "github.com/hashicorp/golang-lru/arc.ARCCache",
	"github.com/hashicorp/golang-lru/expirable.LRU", "github.com/hashicorp/golang-lru/simplelru.LRU",
	"github.com/maypok86/otter.Cache",
	"github.com/VictoriaMetrics/fastcache.Cache",
}

var majorVersion = regexp.MustCompile(`/v\d+(/|$)`)

// has reports whether a method is one of those named.
func (c container) has(names []string, method string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return method == n || c.prefixes && strings.HasPrefix(method, n)
	})
}

// keeps reports whether a call adds a value. Of methods that are known by the beginning
// of their names, SetBody(b) sets a property, and a number keeps nothing alive.
func (w *walker) keeps(c container, method string, args []ast.Expr) bool {
	if c.single || len(args) == 0 || !c.has(c.puts, method) || isNil(args[len(args)-1]) {
		return false
	}
	if !c.prefixes {
		return true
	}
	return (len(args) > 1 || !strings.HasPrefix(method, "Set")) && slices.ContainsFunc(args, func(a ast.Expr) bool {
		t := w.info.TypeOf(a)
		if t == nil {
			return true
		}
		basic, ok := t.Underlying().(*types.Basic)
		return !ok || basic.Info()&types.IsString != 0
	})
}

// takes reports whether a call removes a value. Swap(key, nil) does, too.
func (c container) takes(method string, args []ast.Expr) bool {
	return c.has(c.removes, method) || len(args) > 0 && c.has(c.puts, method) && isNil(args[len(args)-1])
}

func isNil(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "nil"
}

// container returns the container whose method is called, and the selector of the
// method.
func (w *walker) container(fun ast.Expr) (container, *ast.SelectorExpr, bool) {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || w.info.Selections[sel] == nil {
		return container{}, nil, false
	}
	t := w.info.Selections[sel].Recv()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || w.pkg == nil {
		return container{}, nil, false
	}
	path := named.Obj().Pkg().Path()
	if c, known := containers[path+"."+named.Obj().Name()]; known {
		return c, sel, true
	}
	// A first element with a dot is a host, so the package is not in the standard library.
	if host, _, _ := strings.Cut(path, "/"); !strings.Contains(host, ".") || sameModule(path, w.pkg.Path()) {
		return container{}, nil, false
	}
	c := foreign
	c.bounded = slices.Contains(bounded, majorVersion.ReplaceAllString(path, "$1")+"."+named.Obj().Name())
	return c, sel, true
}

// sameModule compares the first three elements of import paths, host/owner/repository.
// Functions of the program's own packages are followed, and need no guess.
func sameModule(a, b string) bool {
	first := func(s string) string {
		parts := strings.SplitN(s, "/", 4)
		return strings.Join(parts[:min(len(parts), 3)], "/")
	}
	return first(a) == first(b)
}

// keep notes a call that hands a value to a container.
func (w *walker) keep(n *ast.CallExpr) {
	var into ast.Expr
	c, sel, ok := w.container(ast.Unparen(n.Fun))
	if ok && w.keeps(c, sel.Sel.Name, n.Args) {
		into = sel.X
	} else if w.callee(ast.Unparen(n.Fun)) == "container/heap.Push" && len(n.Args) == 2 {
		into = pointee(n.Args[0])
	} else {
		return
	}
	a := w.growth(into)
	a.Kind, a.Text, a.Value, a.Bounded = Keep, w.text(n), w.valueOf(n.Args...), c.bounded
	w.add(n.Rparen, a)
}

// send notes a value that waits in a channel.
func (w *walker) send(n *ast.SendStmt) {
	a := w.growth(n.Chan)
	a.Kind, a.Text, a.Value = Keep, w.text(n.Chan)+" <- "+w.text(n.Value), w.valueOf(n.Value)
	w.add(n.Arrow, a)
}

// valueOf returns the position at which the function assigns a value to the first variable
// among some expressions, or the zero Position.
func (w *walker) valueOf(all ...ast.Expr) Position {
	var at Position
	for _, e := range slices.Backward(all) { // the value comes after the key
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || at.Line != 0 {
				return at.Line == 0
			}
			if v, ok := w.info.Uses[id].(*types.Var); ok && !v.IsField() {
				if pos := w.assignedBefore(id); pos.IsValid() {
					at = w.position(pos)
				}
			}
			return true
		})
	}
	return at
}

// pointee returns x for &x.
func pointee(e ast.Expr) ast.Expr {
	if p, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && p.Op == token.AND {
		return p.X
	}
	return e
}
