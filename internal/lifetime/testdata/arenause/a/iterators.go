package a

import (
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/heapwright/heapwright/arena"
)

type record struct{ fields []string }

// records yields records that it ends after each round, or after the last one.
func records(n int, each bool) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		a := arena.NewArena()
		defer a.Free()
		for range n {
			if !yield(arena.New[record](a)) {
				return
			}
			if each {
				a.Reset()
			}
		}
	}
}

func ending(n int) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		a := arena.NewArena()
		defer a.Free()
		for range n {
			if !yield(arena.New[record](a)) {
				return
			}
			a.Reset()
		}
	}
}

func collected() (n int) {
	for _, r := range slices.Collect(records(3, false)) {
		n += len(r.fields) // want `r is used after`
	}
	return n
}

func longest() int {
	var best *record
	for r := range ending(3) {
		if best == nil || len(best.fields) < len(r.fields) { // want `best is used after a.Reset \(line \d+\)`
			best = r
		}
	}
	return 0
}

func expires(limit int) {
	a := arena.NewArena()
	defer a.Free()
	ages := arena.NewMap[string, int](a, 2)
	for _, age := range ages.All() { // want `ages is used after a.Reset`
		if age > limit {
			a.Reset()
		}
	}
}

type recorder struct {
	io.Writer
	last []byte
}

func (r *recorder) Write(p []byte) (int, error) {
	r.last = p
	return r.Writer.Write(p)
}

func writesPage(w io.Writer, name string) {
	a := arena.NewArena()
	defer a.Free()
	w.Write(arena.Bytes(a, []byte(name)))
}

func records2(w io.Writer) {
	r := &recorder{Writer: w}
	writesPage(r, "name")
	fmt.Println(string(r.last)) // want `r.last is used after a.Free \(line \d+\), which writesPage calls`
}

func formatted(in []int) error {
	a := arena.NewArena()
	free := func() { a.Free() }
	out := arena.MakeSlice[int](a, 0, len(in))
	for _, v := range in {
		if v < 0 {
			free()
			return fmt.Errorf("after %v: %w", out, io.EOF) // want `out is used after a.Free`
		}
		out = append(out, v)
	}
	free()
	return nil
}
