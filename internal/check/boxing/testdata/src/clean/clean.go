package clean

import (
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/go-logr/logr"
	"io"
	"log"
	"log/slog"
	"os"
	"sort"
	"strconv"
	"sync"
)

type point struct{ x, y int }

func once(w io.Writer, n int) { fmt.Fprintln(w, n) }

func initial(w io.Writer, n int) {
	for i, _ := fmt.Fprintln(w, n); i < n; i++ {
	}
	for range fmt.Sprint(n, w) {
	}
}

func constants(w io.Writer, n int) {
	for range n {
		fmt.Fprintf(w, "%s %d\n", "a", 1)
	}
}

func words(w io.Writer, all []*point, bits []bool, small []byte, empty struct{}) {
	for i, p := range all {
		slog.Info("x", "p", p, "bit", bits[i], "byte", small[i], "empty", empty, "err", errors.ErrUnsupported)
		slog.Info("x", "one", struct{ p *point }{p}, "two", [1]bool{bits[i]}, "f", func() {}, "m", map[int]int{})
	}
}

func single(all []int) (s []string) {
	for _, v := range all {
		s = append(s, fmt.Sprintf("%d", v), fmt.Sprint(v)) // of formatting
	}
	return s
}

func layout(w io.Writer, all []int, v point) {
	for _, n := range all {
		fmt.Fprintf(w, "%5d", n)
		fmt.Fprintf(w, "%-5d", n)
		fmt.Fprintf(w, "%+v", n)
		fmt.Fprintf(w, "%*d", n, n)
		fmt.Fprintf(w, "%d %v", n, v)
		fmt.Fprintf(w, "%T", n)
		fmt.Fprintf(w, "%d %d", n)
		fmt.Fprintf(w, "%s", n)
		fmt.Fprintf(w, "%")
		fmt.Fprintln(w, 1.5*float64(n))
		fmt.Fprintf(w, "%.3s", strconv.Itoa(n))
		fmt.Fprintf(w, "%q", []byte(strconv.Itoa(n)))
	}
}

func handsOn(w io.Writer, rows [][]any, format string, n int) {
	for _, row := range rows {
		fmt.Fprintln(w, row...)
		fmt.Fprintf(w, format, n)
	}
}

func standard(all []int) {
	for _, v := range all {
		fmt.Println(v)
		fmt.Fprintln(os.Stderr, v)
		log.Println(v)
	}
}

func leaves(w io.Writer, all []int) error {
	for _, v := range all {
		if v < 0 {
			return fmt.Errorf("negative: %d", v)
		}
		if v == 7 {
			fmt.Fprintln(w, v)
			return nil
		}
		if v == 8 {
			fmt.Fprintln(w, v)
			break
		}
		if v == 9 {
			panic(fmt.Sprintf("%d of %d", v, len(all)))
		}
		if v == 10 {
			log.Fatal(fmt.Sprintf("%d of %d", v, len(all)))
		}
		if v == 11 {
			fmt.Fprintln(w, v)
			os.Exit(1)
		}
	}
	return nil
}

func labels(w io.Writer, rows [][]int) {
outer:
	for _, row := range rows {
		for _, v := range row {
			fmt.Fprintln(w, v)
			break outer
		}
	}
}

func text(all []int) string {
	for _, v := range all {
		return fmt.Sprintf("%d of %d", v, len(all))
	}
	return ""
}

func few(w io.Writer, n int) {
	for i := range 3 {
		fmt.Fprintln(w, i+n)
	}
	for _, v := range []int{n, n + 1} {
		fmt.Fprintln(w, v)
	}
}

func later(w io.Writer, all []int) {
	for _, v := range all {
		defer fmt.Fprintln(w, v)
		go fmt.Fprintln(w, v)
		func() { fmt.Fprintln(w, v) }()
	}
}

func typed[T any](w io.Writer, all []T, l *slog.Logger) {
	for i, v := range all {
		l.Info("v", "v", v)
		fmt.Fprintln(w, v, i)
		l.Info("v", "v", struct {
			a T
			b [2]T
		}{}, "one", [1]T{v}, "field", struct{ v T }{v})
	}
}

func kept(all []int) (list []any) {
	m := map[any]any{}
	for _, v := range all {
		list = append(list, v)
		m[v] = v
	}
	return list
}

type queue []*point

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].x < q[j].x }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*point)) }
func (q *queue) Pop() any          { return nil }

var pool sync.Pool

func pointers(q *queue, all []*point, w io.Writer, data []byte) {
	for _, p := range all {
		heap.Push(q, p)
		pool.Put(p)
		sort.Sort(q)
		binary.Write(w, binary.BigEndian, p)
		binary.Write(w, binary.BigEndian, *p)
	}
}

func write(w io.Writer, v any) {
	switch v.(type) {
	case string, int:
	}
}

func other(v any) {
	fmt.Println(v)
	switch v.(type) {
	case int:
	}
}

func switched(w io.Writer, all []int) {
	for _, v := range all {
		write(w, v)
		other(v)
	}
}

type errors2 struct{ list []error }

func (e *errors2) addf(format string, args ...any) {
	e.list = append(e.list, fmt.Errorf(format, args...))
}

func collected(e *errors2, all []int) {
	for _, v := range all {
		e.addf("bad %d", v)
	}
}

func noField(l *slog.Logger, verbose logr.Logger, rows [][]string, p point) {
	for i, row := range rows {
		l.Info("row", "row", row, "point", p)
		verbose.Info("row", "name", row[i])
	}
}

// Package strconv writes no text in hexadecimal.
func hexadecimal(w io.Writer, sums [][]byte, names []string) {
	for i, sum := range sums {
		fmt.Fprintf(w, "%x  %s\n", sum, names[i])
		fmt.Fprintf(w, "%x\n", names[i])
	}
}
