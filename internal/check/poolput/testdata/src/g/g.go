// Package g holds a type that gives a field back.
package g

import "sync"

var pool sync.Pool

type Record struct{ Data []byte }

func (r *Record) Close() { pool.Put(r.Data) }
