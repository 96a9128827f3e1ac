package holders

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type chunk struct{ buf *bytes.Buffer }

func (c *chunk) read(p []byte) int {
	n, _ := c.buf.Read(p)
	if c.buf.Len() == 0 {
		c.buf = new(bytes.Buffer)
		buffers.Put(c.buf) // want `memory of c.buf is kept in what c refers to`
	}
	return n
}

type hook interface{ run(e *event) }

type event struct {
	text []byte
	hook hook
}

var events = sync.Pool{New: func() any { return new(event) }}

func (e *event) send() {
	e.hook.run(e)
	events.Put(e) // want `memory of e is kept in what e refers to`
}

type recorder struct{ seen []*event }

func (r *recorder) run(e *event) {
	r.seen = append(r.seen, e) // want `memory of e is kept in what r refers to`
}

func login(r *recorder) {
	e := events.Get().(*event)
	e.hook = r
	e.send()
}

func get() []int64 {
	s := numbers.Get().(*[]int64)
	return (*s)[:0]
}

func put(s []int64) { numbers.Put(&s) }

var numbers = sync.Pool{New: func() any { return new([]int64) }}

// Two slices are swapped, and both put.
func filter(n int64, all ...func(int64) bool) int {
	now, next := get(), get()
	for i := range n {
		now = append(now, i)
	}
	for _, keep := range all {
		next = next[:0]
		for _, i := range now {
			if keep(i) {
				next = append(next, i)
			}
		}
		now, next = next, now
	}
	count := len(now)
	put(next)
	put(now)
	return count
}
