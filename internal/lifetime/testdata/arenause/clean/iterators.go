package clean

import (
	"io"
	"iter"
	"slices"

	"github.com/heapwright/heapwright/arena"
)

type record struct{ fields []string }

func records(n int) iter.Seq[*record] {
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

func lengths(in iter.Seq[*record]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for r := range in {
			if !yield(len(r.fields)) {
				return
			}
		}
	}
}

func collected() (n int) {
	for _, l := range slices.Collect(lengths(records(3))) {
		n += l
	}
	return n
}

func longest() (best int) {
	for r := range records(3) {
		best = max(best, len(r.fields))
	}
	return best
}

// The loop ends with the Reset.
func expires(limit int) string {
	a := arena.NewArena()
	defer a.Free()
	ages := arena.NewMap[string, int](a, 2)
	for name, age := range ages.All() {
		if age > limit {
			name = arena.Clone(name)
			a.Reset()
			return name
		}
	}
	for _, age := range ages.All() {
		if age < limit {
			a.Reset()
			break
		}
	}
	return ""
}

type recorder struct {
	io.Writer
	last []byte
}

func (r *recorder) Write(p []byte) (int, error) {
	r.last = append(r.last[:0], p...)
	return r.Writer.Write(p)
}

func writesPage(w io.Writer, name string) {
	a := arena.NewArena()
	defer a.Free()
	w.Write(arena.Bytes(a, []byte(name)))
}

func recordsCopy(w io.Writer) string {
	r := &recorder{Writer: w}
	writesPage(r, "name")
	return string(r.last)
}
