// Package g holds a type that gives a field back.
package g

import "sync"

var pool sync.Pool

type Record struct{ Data []byte }

func (r *Record) Close() { pool.Put(r.Data) }

// Line is filled again after each Get.
type Line struct{ B []byte }

func GetLine() *Line {
	l := pool.Get().(*Line)
	l.B = l.B[:0]
	return l
}

func PutLine(l *Line) { pool.Put(l) }
