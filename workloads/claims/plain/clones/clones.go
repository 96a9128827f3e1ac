// Package clones copies a payload some times, as a service does that writes
// replicas, in plain Go that every release since 1.20 compiles: on the heap, or
// with GOEXPERIMENT=arenas in one of Go's own arenas for each request.
package clones

// record holds the copies of a request.
type record struct{ copies [][]byte }

// fan makes n copies and returns a sum of the bytes read from them.
func fan(payload []byte, n int) int {
	m := begin()
	defer m.end()
	if n == 1 {
		return use(m.copy(payload))
	}
	r := m.record()
	r.copies = m.list(n)
	sum := 0
	for i := range r.copies {
		r.copies[i] = m.copy(payload)
		sum += use(r.copies[i])
	}
	return sum
}

// use keeps the compiler from leaving the copy out.
//
//go:noinline
func use(b []byte) int { return int(b[0]) + int(b[len(b)-1]) }
