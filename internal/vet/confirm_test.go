package vet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/vet"
)

// The lines that the compiler allocates on end with "// heap".
const confirmed = `
-- go.mod --
module example.com/m

go 1.26
-- root.go --
package m

import (
	"fmt"
	"io"
	"sort"
	"strconv"
)

type point struct{ x, y float64 }

func Print(w io.Writer, points []point, names []string, f func(int) string) {
	for i, p := range points {
		fmt.Fprintf(w, "%g", p.x) // heap
		fmt.Fprintf(w, "%g", p.x+p.y) // heap
		fmt.Fprintf(w, "%g", -p.x) // heap
		fmt.Fprintf(w, "%g", (p.x)) // heap
		fmt.Fprintf(w, "%g", points[i].x) // heap
		fmt.Fprintf(w, "%g", float64(i)) // heap
		fmt.Fprintf(w, "%g", any(p.x).(float64)) // heap
		fmt.Fprintf(w, "%g", *&points[i].x) // heap
		fmt.Fprintf(w, "%d %g", i, p.x) // heap
		fmt.Fprintf(w, "%d", i) // perhaps below 256
		fmt.Fprintf(w, "%g",
			p.x *
				p.y) // heap
		fmt.Fprintln(w, names[i]) // heap
		fmt.Fprintln(w, names[i][1:]) // heap
		fmt.Fprintln(w, f(i)) // heap
		sort.Sort(byX{p}) // heap
		sort.Sort(byX(points)) // heap
	}
}

type byX []point

func (b byX) Len() int           { return len(b) }
func (b byX) Less(i, j int) bool { return b[i].x < b[j].x }
func (b byX) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func write(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	}
	return 0
}

func Stays(all []string) (n int) {
	for _, v := range all {
		n += write(v)
	}
	return n
}

var Funcs []func()

func run(f func())  { f() }
func keep(f func()) { Funcs = append(Funcs, f) }

func (p *point) move() { p.x++ }

func Closures(n int, p *point) {
	for range n {
		run(func() { println(n) })
		run(p.move)
		keep(func() { println(n) }) // heap
		keep((func() { println(n) })) // heap
		keep(p.move) // heap
		keep((p.move)) // heap
	}
}

// Small is inlined into others.
func Small(w io.Writer, n int) {
	for i := range n {
		fmt.Fprintln(w, strconv.Itoa(i)) // heap
	}
}

func Inlines(w io.Writer, all []int) {
	for _, n := range all {
		Small(w, n)
	}
}
-- nested/package/nested.go --
package nested

import (
	"fmt"
	"os"
)

func Generic[T any](w *os.File, all []T) {
	for range all {
		fmt.Fprintln(w, w.Name()) // heap
	}
}

func Use(w *os.File) { Generic(w, []int{1}); Generic(w, []string{"a"}) }

// Unused is compiled nowhere.
func Unused[T any](w *os.File, all []T) {
	for range all {
		fmt.Fprintln(w, w.Name())
	}
}
-- nested/package/nested_test.go --
package nested

import "testing"

func Test(t *testing.T) {}
-- main/main.go --
package main

import (
	"os"
	"fmt"
	"bufio"
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	for _, arg := range os.Args {
		fmt.Fprintln(w, arg) // heap
	}
}
`

func TestConfirm(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a folder: with 1:2 ")
	var want []string
	for _, f := range txtar.Parse([]byte(confirmed)).Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(string(f.Data)) {
			if n++; strings.HasSuffix(line, "// heap\n") {
				want = append(want, place(f.Name, n))
			}
		}
	}
	for range 2 { // the second time the go command repeats the messages that it kept
		d, err := vet.Run(t.Context(), vet.Plan{Dir: dir, Packages: []string{"./..."}, All: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Failures {
			t.Error(f)
		}
		var got []string
		for _, r := range d.Reports {
			if r.Kind == check.Escape {
				got = append(got, place(r.File, r.EndLine))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("reports at\n%q, want\n%q", got, want)
		}
	}
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }
