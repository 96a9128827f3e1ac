package a

import (
	"bytes"
	"sync"
)

type T struct {
	n    int
	next *T
}

func (t *T) use() {}
func take(t *T)   {}
func cond() bool  { return true }
func fresh() *T   { return new(T) }

var pool sync.Pool

type box struct{ sync.Pool }

func straight(t *T)                       { pool.Put(t); t.use() }                    // want `t is used after Put`
func field(t *T)                          { pool.Put(t); t.n = 1 }                    // want `t is used after Put`
func read(t *T) int                       { pool.Put(t); return t.n }                 // want `t is used after Put`
func argument(t *T)                       { pool.Put(t); take(t) }                    // want `t is used after Put`
func twice(t *T)                          { pool.Put(t); pool.Put(t) }                // want `t is put into the pool twice`
func deferTwice(t *T)                     { defer pool.Put(t); t.use(); pool.Put(t) } // want `t is put into the pool twice`
func twoDefers(t *T)                      { defer pool.Put(t); defer pool.Put(t) }    // want `t is put into the pool twice`
func thenDefer(t *T)                      { pool.Put(t); defer pool.Put(t) }          // want `t is put into the pool twice`
func deferUse(t *T)                       { pool.Put(t); defer t.use() }              // want `t is used after Put`
func goUse(t *T)                          { pool.Put(t); go take(t) }                 // want `t is used after Put`
func same(t *T) *T                        { pool.Put(t); return t }                   // want `t is used after Put`
func deferReturn(t *T) *T                 { defer pool.Put(t); return t }             // want `t is returned, but the deferred Put`
func element(b []byte)                    { pool.Put(b); b[0] = 1 }                   // want `b is used after Put`
func slice(b []byte) []byte               { defer pool.Put(b); return b[:1] }         // want `b is returned`
func pointer(b *[]byte) []byte            { defer pool.Put(b); return (*b)[:1] }      // want `b is returned`
func embedded(b *box, t *T)               { b.Put(t); t.use() }                       // want `t is used after Put`
func generic[E any](p *sync.Pool, e *E) E { p.Put(e); return *e }                     // want `e is used after Put`
func (t *T) method()                      { pool.Put(t); t.use() }                    // want `t is used after Put`

func buffer() []byte {
	b := pool.Get().(*bytes.Buffer)
	defer pool.Put(b)
	return b.Bytes() // want `b is returned`
}

func branch(t *T) {
	if cond() {
		pool.Put(t)
	}
	t.use() // want `t is used after Put`
}

func both(t *T) {
	if cond() {
		pool.Put(t)
	} else {
		pool.Put(t)
	}
	if cond() {
		t.use() // want `t is used after Put`
	}
}

func loop(t *T) {
	for {
		t.use() // want `t is used after Put`
		pool.Put(t)
	}
}

func closure() {
	func() {
		t := fresh()
		pool.Put(t)
		t.use() // want `t is used after Put`
	}()
}

func list(t *T) {
	for t != nil {
		pool.Put(t)
		t = t.next // want `t is used after Put`
	}
}

func dynamic() {
	v := pool.Get()
	pool.Put(v)
	v.(*T).use() // want `v is used after Put`
}

// Clean functions.

func last(t *T)                   { t.use(); pool.Put(t) }
func set(t *T)                    { pool.Put(t); t = nil; _ = t }
func again(t *T)                  { pool.Put(t); t = fresh(); t.use() }
func compare(t *T)                { pool.Put(t); _ = t != pool.Get() }
func length(b []byte) int         { pool.Put(b); return len(b) }
func value(t *T) T                { defer pool.Put(t); return *t }
func text(b *bytes.Buffer) string { defer pool.Put(b); return b.String() }

func parameter[E any](e E) E { pool.Put(e); return e }

func returns(t *T) *T {
	if cond() {
		pool.Put(t)
		return nil
	}
	return t
}

func correlated(t *T, ok bool) {
	if !ok {
		pool.Put(t)
	}
	if ok {
		t.use()
	}
}

func perIteration(all []*T) {
	for _, t := range all {
		t.use()
		pool.Put(t)
	}
}

func saved(t *T) {
	for t != nil {
		next := t.next
		pool.Put(t)
		t = next
	}
}
