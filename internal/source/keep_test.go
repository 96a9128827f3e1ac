package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each line says after "//" whether something keeps a value there, and whether
// code of the package takes from that.
const keeps = `package x

import (
	"container/list"
	"slices"
	"sync"
)

type item struct{ data []byte }

type all struct {
	only, lazy, evicted, aliased, filtered map[string]*item
	trimmed, rebuilt, grown               []*item
	byUser                                map[string][]*item
	running, done                         sync.Map
	order, log                            list.List
	queue, deaf                           chan *item
	pool                                  sync.Pool
	heap                                  stack
}

type stack []*item

func (s *stack) push(i *item) {
	*s = append(*s, i) // kept, taken
}

func (s *stack) pop() {
	old := *s
	*s = old[:len(old)-1]
}

func (a *all) add(k string, i *item) {
	if a.lazy == nil {
		a.lazy = map[string]*item{}
	}
	a.only[k] = i                            // kept
	a.lazy[k] = i                            // kept
	a.evicted[k] = i                         // kept, taken
	a.aliased[k] = i                         // kept, taken
	a.trimmed = append(a.trimmed, i)         // kept, taken
	a.rebuilt = append(a.rebuilt, i)         // kept, taken
	a.grown = append(a.grown, i)             // kept
	a.byUser[k] = append(a.byUser[k], i)     // kept, taken
	a.running.Store(k, i)                    // kept, taken
	a.done.LoadOrStore(k, i)                 // kept
	a.order.PushFront(i)                     // kept, taken
	a.log.PushBack(i)                        // kept
	a.queue <- i                             // kept, taken
	a.deaf <- i                              // kept
	a.pool.Put(i)
}

func evict(m map[string]*item) {
	for k := range m {
		delete(m, k)
		return
	}
}

func (a *all) shrink(k string) {
	evict(a.evicted)
	m := a.aliased
	clear(m)
	a.trimmed = a.trimmed[1:]
	a.rebuilt = slices.DeleteFunc(a.rebuilt, func(i *item) bool { return i == nil })
	q := append(a.grown, nil) // kept
	a.grown = q
	a.byUser[k] = a.byUser[k][1:]
	a.running.Swap(k, nil)
	a.order.Remove(a.order.Back())
	for range a.queue {
		return
	}
}
`

func TestKeeping(t *testing.T) {
	dir := program(t, map[string]string{"x.go": keeps})
	file := filepath.Join(dir, "x.go")
	x := study(t, Options{Dir: dir}, Place{"ex.com/x.(*all).add", file, 40})
	for i, text := range strings.Split(keeps, "\n") {
		_, want, _ := strings.Cut(text, "// ")
		got := ""
		for _, a := range x.Allocations(file, i+1) {
			if (a.Kind == Keep || a.Kind == MapInsert || a.Kind == Append) && a.Outlives && !a.Sized {
				if got = "kept"; a.Shrinks {
					got = "kept, taken"
				}
				if a.Shrinks != (a.Taken.Line > 0) {
					t.Errorf("line %d: taken at %v", i+1, a.Taken)
				}
			}
		}
		if want = strings.TrimSpace(want); i > 7 && got != want {
			t.Errorf("line %d %q: %q, want %q", i+1, strings.TrimSpace(text), got, want)
		}
	}
}

// Types of other modules are taken for caches and queues by the names of their
// methods. A setter of a property is neither, and a number keeps nothing alive.
const keepsForeign = `package x

import (
	"example.org/lib"
	"github.com/hashicorp/golang-lru/v2"
)

type all struct {
	c, taken *lib.Thing
	lru      *lru.Cache
}

func (a *all) add(k string, v []byte, n int) {
	a.c.Set(k, v)         // kept
	a.c.SetWithTTL(k, v)  // kept
	a.c.Add(v)            // kept
	a.c.PushBack(v)       // kept
	a.c.SetBody(v)
	a.c.SetLength(n)
	a.c.AddCount(n, 1)
	a.lru.Add(k, v)       // kept, bounded
}
`

func TestKeepingForeign(t *testing.T) {
	dir := program(t, map[string]string{"x.go": keepsForeign, "lib/go.mod": "module example.org/lib\n\ngo 1.24\n", "lib/lib.go": `package lib

type Thing struct{}

func (*Thing) Set(k string, v []byte)        {}
func (*Thing) SetWithTTL(k string, v []byte) {}
func (*Thing) Add(v []byte)                  {}
func (*Thing) PushBack(v any)                {}
func (*Thing) SetBody(v []byte)              {}
func (*Thing) SetLength(n int)               {}
func (*Thing) AddCount(n, m int)             {}
`, "lru/go.mod": "module github.com/hashicorp/golang-lru/v2\n\ngo 1.24\n", "lru/lru.go": `package lru

type Cache struct{}

func (*Cache) Add(k string, v []byte) {}
`})
	mod := "module ex.com/x\n\ngo 1.24\n\nrequire (\n\texample.org/lib v0.0.0\n\tgithub.com/hashicorp/golang-lru/v2 v2.0.0\n)\n\n" +
		"replace (\n\texample.org/lib => ./lib\n\tgithub.com/hashicorp/golang-lru/v2 => ./lru\n)\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "x.go")
	x := study(t, Options{Dir: dir}, Place{"ex.com/x.(*all).add", file, 14})
	for i, text := range strings.Split(keepsForeign, "\n") {
		got := ""
		for _, a := range x.Allocations(file, i+1) {
			if a.Kind == Keep {
				if got = "kept"; a.Bounded {
					got = "kept, bounded"
				}
			}
		}
		if _, want, _ := strings.Cut(text, "// "); got != want {
			t.Errorf("line %d %q: %q, want %q", i+1, strings.TrimSpace(text), got, want)
		}
	}
}
