// Package fix has closures whose fixes depend on what is around them.
package fix

import "io"

var kept []func()

func keep(f func()) { kept = append(kept, f) }

type store struct {
	rows [][]int
	each func(row []int, visit func(int))
}

func (s *store) above(limit int) int {
	n := 0
	for _, r := range s.rows {
		s.each(r, func(v int) { // want `the closure captures`
			// Small ones do not count.
			if v > limit {
				n++
			}
		})
	}
	return n
}

// Both loops leave the closure as it is.
func (s *store) nested(all [][][]int) (n int) {
	for _, rows := range all {
		for _, row := range rows {
			s.each(row, func(v int) { n += v }) // want `the closure captures`
		}
	}
	return n
}

func (s *store) ofOuter(all [][][]int) (n int) {
	for i, rows := range all {
		for _, row := range rows {
			s.each(row, func(v int) { n += v * i }) // want `the closure captures`
		}
	}
	return n
}

func labeled(rows [][]int, n int) {
rows:
	for _, row := range rows {
		for _, v := range row {
			if v < 0 {
				continue rows
			}
		}
		keep(func() { println(n) }) // want `the closure captures`
	}
}

func visit() {}

func takenNames(rows [][]int, n int) {
	for range rows {
		visit()
		keep(func() { println(n) }) // want `the closure captures`
	}
	call := 1
	println(call)
}

type counter struct{ n int }

func (c *counter) Count()    { c.n++ }
func (c counter) value()     {}
func (c *counter) self()     {}
func (c *counter) type_(int) {}

type holder struct {
	counter
	inner *counter
	own   counter
}

func pointer(c *counter, rows []int) {
	for range rows {
		keep(c.Count) // want `the method value`
	}
}

func field(rows []int) {
	var h holder
	for range rows {
		keep(h.own.Count) // want `the method value`
	}
}

func handler(c *counter, d *struct{ f func() }, rows []int) {
	for range rows {
		d.f = c.Count // want `the method value`
		d.f()
	}
}

// Without a fix from here on.

// With no rows, w may be nil.
func ofInterface(w io.Writer, rows []int) {
	for range rows {
		use(w.Write) // want `the method value`
	}
}

func use(func([]byte) (int, error)) {}

// With no rows, h may be nil.
func followsPointer(h *holder, rows []int) {
	for range rows {
		keep(h.own.Count) // want `the method value`
	}
}

// Another function may change it.
func fieldOfPointer(h *holder, rows []int) {
	for range rows {
		keep(h.inner.Count) // want `the method value`
	}
}

func promoted(h *holder, rows []int) {
	for range rows {
		keep(h.self) // want `the method value`
	}
}

var shared *counter

func ofPackage(rows []int) {
	for range rows {
		keep(shared.Count) // want `the method value`
	}
}

func jumps(rows []int, n int) {
	if n > 7 {
		goto end
	}
	for range rows {
		keep(func() { println(n) }) // want `the closure captures`
	}
end:
}

func allTaken(visit, call, fn int, rows []int) {
	for range rows {
		keep(func() { println(visit) }) // want `the closure captures`
	}
}

func assigned(rows []int, n int) {
	for range rows {
		f := func() { println(n) } // want `the closure captures`
		keep(f)
		f = nil
	}
}

func otherMeaning(rows []int, n int) {
	for _, f := range rows {
		println(f)
		f := func() { println(n) } // want `the closure captures`
		keep(f)
	}
}

func moved(rows [][]int, n int) {
	for _, row := range rows {
		println(len(row))
		// It prints.
		show := func() { // want `the closure captures`
			println(n)
		}
		keep(show)
	}
}

func long(rows []int, n int) {
	for range rows {
		keep(func() { // want `the closure captures`
			println(0, n)
			println(1, n)
			println(2, n)
			println(3, n)
			println(4, n)
			println(5, n)
			println(6, n)
			println(7, n)
			println(8, n)
			println(9, n)
			println(10, n)
			println(11, n)
			println(12, n)
			println(13, n)
			println(14, n)
			println(15, n)
			println(16, n)
			println(17, n)
			println(18, n)
			println(19, n)
			println(20, n)
			println(21, n)
			println(22, n)
			println(23, n)
			println(24, n)
		})
	}
}
