package a

import (
	"bytes"
	"container/heap"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.uber.org/zap"
)

type point struct{ x, y string }

func printed(w io.Writer, points []point) {
	for _, p := range points {
		fmt.Fprintf(w, "%s,%s\n", p.x, p.y) // want `fmt.Fprintf boxes p.x and p.y in each iteration: strconv and WriteString box nothing`
	}
}

func counted(w io.Writer, names []string) {
	for i := 0; i < len(names); i++ {
		fmt.Fprintf(w, "%s=%q", names[i], "constant") // want `fmt.Fprintf boxes names\[i\] in each iteration`
	}
}

func lines(b *bytes.Buffer, all []string) {
	for i, s := range all {
		fmt.Fprintln(b, i, i+1, s+"x", i+3) // want `fmt.Fprintln boxes i, i \+ 1, s \+ "x" and one value in each`
	}
}

func endless(w io.Writer, next func() (string, bool)) {
	for {
		s, ok := next()
		if !ok {
			return
		}
		fmt.Fprint(w, s, "\n") // want `fmt.Fprint boxes s`
	}
}

func text(names []string, n int) (all []string) {
	for _, name := range names {
		all = append(all, fmt.Sprint(name, "-", n)) // want `fmt.Sprint boxes name and n in each iteration: concatenation and strconv`
	}
	return all
}

func floats(w io.Writer, values []float64) {
	for _, v := range values {
		fmt.Fprintf(w, "%.2f %v\n", v, time.Second) // want `fmt.Fprintf boxes v`
	}
}

func raw(w io.Writer, parts [][]byte) {
	for _, p := range parts {
		fmt.Fprintf(w, "%s", p) // want `fmt.Fprintf boxes p`
	}
}

func failures(w io.Writer, n int, f func(int) error) {
	for i := range n {
		fmt.Fprintf(w, "%s: %v 100%%\n", strings.Repeat("x", i), f(i)) // want `fmt.Fprintf boxes strings.Repeat`
	}
}

func nested(w io.Writer, rows [][]string) {
	for _, row := range rows {
		for _, v := range row {
			fmt.Fprint(w, v) // want `fmt.Fprint boxes v`
		}
		fmt.Fprintln(w, row[0]) // want `fmt.Fprintln boxes row\[0\]`
	}
}

func condition(s string) {
	for i := 0; more(fmt.Sprint(i, s)); i++ { // want `fmt.Sprint boxes i and s`
	}
}

func more(string) bool { return false }

func cases(w io.Writer, ch chan string, done chan bool) {
	for {
		select {
		case n := <-ch:
			fmt.Fprintln(w, n) // want `boxes n`
		case <-done:
			return
		}
	}
}

func outerRepeats(w io.Writer, rows [][]string) {
	for _, row := range rows {
		for _, v := range row {
			fmt.Fprintln(w, v) // want `boxes v`
			break
		}
	}
}

func inClosure(w io.Writer) func([]string) {
	return func(all []string) {
		for _, v := range all {
			fmt.Fprintln(w, v) // want `boxes v`
		}
	}
}

type printer struct{ w io.Writer }

func (p *printer) all(names []string) {
	for i := range names {
		fmt.Fprintln(p.w, names[i]) // want `boxes names`
	}
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *printer) wrapped(names []string) {
	for _, name := range names {
		p.printf("%s\n", name) // want `p.printf boxes name in each iteration: strconv and WriteString`
	}
}

func generic[T ~string](w io.Writer, all []T) {
	for i, v := range all {
		use(v)
		fmt.Fprintln(w, i, string(v)) // want `boxes i and string\(v\)`
	}
}

func use(any) {}

func (s *stack[T]) dump(w io.Writer) {
	for range s.all {
		fmt.Fprintln(w, s.name) // want `boxes s.name`
	}
}

type stack[T any] struct {
	name string
	all  []T
}

func logged(l *slog.Logger, ctx context.Context, points []point) {
	for i, p := range points {
		l.Debug("point", "i", i, "x", p.x)                    // want `l.Debug boxes i and p.x in each iteration: LogAttrs takes slog.Int`
		slog.InfoContext(ctx, "point", slog.String("x", p.x)) // want `slog.InfoContext boxes slog.String\("x", p.x\)`
	}
}

func sugared(l *zap.SugaredLogger, names []string) {
	for _, name := range names {
		l.Infow("name", "name", name) // want `boxes name in each iteration: a zap.Logger takes`
		l.Debugf("name %s", name)     // want `boxes name`
	}
}

func leveled(l logr.Logger, names []string) {
	for _, name := range names {
		l.V(4).Info("name", "name", name) // want `boxes name in each iteration: ask Enabled`
	}
}

type byX []point

func (b byX) Len() int           { return len(b) }
func (b byX) Less(i, j int) bool { return b[i].x < b[j].x }
func (b byX) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func sorted(rows [][]point) {
	for _, row := range rows {
		sort.SliceIsSorted(row, func(i, j int) bool { return row[i].x < row[j].x }) // want `sort.SliceIsSorted boxes row in each iteration: slices.IsSortedFunc`
		sort.Sort(byX(row))                                                         // want `sort.Sort boxes byX\(row\)`
	}
}

type queue []point

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].x < q[j].x }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(point)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

func queued(points []point) *queue {
	q := &queue{}
	for _, p := range points {
		heap.Push(q, p) // want `heap.Push boxes p in each iteration: a heap with a type parameter`
	}
	return q
}

func encoded(w io.Writer, all []uint32) {
	for _, v := range all {
		binary.Write(w, binary.LittleEndian, v) // want `binary.Write boxes v`
	}
}

var pool sync.Pool

func pooled(chunks [][]byte) {
	for _, c := range chunks {
		pool.Put(c) // want `pool.Put boxes c in each iteration: put a pointer`
	}
}

func write(w io.Writer, v any) {
	switch v := v.(type) {
	case float64:
		w.Write([]byte{byte(v)})
	case string:
		io.WriteString(w, v)
	}
}

func chosen(w io.Writer, all []float64) {
	for _, v := range all {
		write(w, v) // want `write boxes v in each iteration: it chooses by the type, which is known here: a function for float64`
	}
}

func calls(w io.Writer, f func() string, n int) {
	for range n {
		fmt.Fprintln(w, f()) // want `boxes f\(\)`
	}
}

func afterErrors(w io.Writer, names []string, f func() error) {
	for _, name := range names {
		if err := f(); err != nil {
			continue
		}
		for range name {
			continue
		}
		fmt.Fprintln(w, name) // want `boxes name`
	}
}

func lastOfTwo(w io.Writer, names []string) {
	for _, name := range names {
		if name == "" {
			return
		} else {
			fmt.Fprintln(w, name) // want `boxes name`
		}
	}
}
