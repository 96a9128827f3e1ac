package a

import (
	"io"
	"strings"
)

var kept []func()

func keep(f func())           { kept = append(kept, f) }
func keepMap(f func(int) int) {}

func overSlice(names []string) (total int) {
	for range names {
		keep(func() { total++ }) // want `the closure captures nothing of the iteration, and each allocates one: make it before the loop`
	}
	return total
}

func counted(n int) (total int) {
	for i := 0; i < n; i++ {
		keep(func() { total++ }) // want `the closure captures nothing`
	}
	return total
}

func endless(next func() bool, w io.Writer) {
	for {
		if !next() {
			return
		}
		keep(func() { io.WriteString(w, "x") }) // want `the closure captures`
	}
}

func overMap(m map[string]int, prefix string) {
	for name := range m {
		_ = strings.IndexFunc(name, func(r rune) bool { return strings.ContainsRune(prefix, r) }) // want `the closure captures`
	}
}

func overIterator(seq func(func(int) bool), offset int) {
	for range seq {
		keepMap(func(n int) int { return n + offset }) // want `the closure captures`
	}
}

func nested(rows [][]int) {
	for _, row := range rows {
		for range row {
			keep(func() { println(len(row)) }) // want `the closure captures`
		}
	}
}

func variable(n int) {
	for range n {
		f := func() { println(n) } // want `the closure captures`
		keep(f)
	}
}

func literal(n int) {
	type hook struct{ f func() }
	var hooks []hook
	for range n {
		hooks = append(hooks, hook{func() { println(n) }})      // want `the closure captures`
		hooks = append(hooks, hook{f: (func() { println(n) })}) // want `the closure captures`
	}
}

func dispatch(ch chan int, done chan bool, n int) {
	for {
		select {
		case <-ch:
			keep(func() { println(n) }) // want `the closure captures`
		case <-done:
			return
		}
	}
}

func inner(n int) {
	keep(func() {
		for range n {
			keep(func() { println(n) }) // want `the closure captures`
		}
	})
}

func locals(n int) {
	for range n {
		keepMap(func(x int) int { // want `the closure captures`
			y := x + n
			return func() int { return y }()
		})
	}
}

func generic[T any](all []T, f func(T)) {
	var zero T
	for range all {
		keep(func() { f(zero) }) // want `the closure captures`
	}
}

func condition(n int) {
	for i := 0; holds(func() bool { return n > 0 }); i++ { // want `the closure captures`
	}
}

func holds(f func() bool) bool { return f() }

func deferred(n int) {
	for range n {
		defer keep(nil)
		keep(func() { println(n) }) // want `the closure captures`
	}
}

type visitor struct {
	n     int
	inner *visitor
}

func (v *visitor) visit()    { v.n++ }
func (v visitor) value() int { return v.n }

func pointer(v *visitor, names []string) {
	for range names {
		keep(v.visit) // want `the method value is the same in each iteration, and each allocates one`
	}
}

func (v *visitor) own(names []string) {
	for range names {
		keep(v.visit)       // want `the method value`
		keep(v.inner.visit) // want `the method value`
	}
}

func addressed(names []string) {
	var v visitor
	for range names {
		keep(v.visit) // want `the method value`
	}
}

func captured(names []string) {
	v := &visitor{}
	keep(func() {
		for range names {
			keep(v.visit) // want `the method value`
		}
	})
}

func copied(names []string) (all []func() int) {
	v := visitor{n: 1}
	for range names {
		all = append(all, v.value) // want `the method value`
	}
	return all
}

func ofInterface(w io.Writer, names []string) (all []func([]byte) (int, error)) {
	for range names {
		all = append(all, w.Write) // want `the method value`
	}
	return all
}

var global visitor

func ofPackage(names []string) {
	for range names {
		keep(global.visit) // want `the method value`
	}
}

type list[T any] struct{ all []T }

func (l *list[T]) clear() { l.all = nil }

func (l *list[T]) each(n int) {
	for range n {
		keep(l.clear) // want `the method value`
	}
}
