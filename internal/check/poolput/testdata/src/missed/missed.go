// Package missed holds faults that the check does not see, each with the reason.
package missed

import (
	"bytes"
	"sync"
)

var pool sync.Pool

func cond() bool { return true }

func methodValue(b *bytes.Buffer) {
	put := pool.Put
	put(b)
	b.Reset() // want `b is used after Put`
}

type putter interface{ Put(any) }

func throughInterface(p putter, b *bytes.Buffer) {
	p.Put(b)
	b.Reset() // missed: an implementation of Put need not be a pool
}

func nextIteration(b *bytes.Buffer) {
	for cond() {
		b.Reset() // want `b is used after Put`
		pool.Put(b)
	}
}

type response struct{ body []byte }

func kept(r *response) {
	b := pool.Get().(*bytes.Buffer)
	defer pool.Put(b)
	r.body = b.Bytes() // want `memory of b is kept in what r refers to`
}

func element(all []*bytes.Buffer) {
	pool.Put(all[0])
	all[0].Reset() // missed: elements are not followed
}

func counted(b *bytes.Buffer, refs int) {
	if refs == 0 {
		pool.Put(b)
	}
	if refs <= 0 {
		b.Reset() // missed: conditions are not compared
	}
}

func inClosure(b *bytes.Buffer) {
	var free func()
	free = func() { pool.Put(b) }
	free()
	b.Reset() // want `b is used after free`
}
