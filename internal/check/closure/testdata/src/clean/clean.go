package clean

import (
	"sync"
	"time"
)

var kept []func()

func keep(f func()) { kept = append(kept, f) }

func once(n int) { keep(func() { println(n) }) }

func captures(names []string) {
	for i, name := range names {
		keep(func() { println(i) })
		n := len(name)
		keep(func() { println(n) })
	}
	for i := 0; i < len(names); i++ {
		keep(func() { println(i) })
	}
}

func types(names []string, n int) {
	for range names {
		type local int
		keep(func() { println(local(n)) })
	}
}

var global int

func capturesNothing(names []string) {
	for range names {
		keep(func() { println("x") })
		keep(func() { println(global) })
		keep(once2)
	}
}

func once2() {}

func starts(names []string, n int, wg *sync.WaitGroup) {
	for range names {
		go func() { println(n) }()
		defer func() { println(n) }()
		func() { println(n) }()
		(func() { println(n) })()
		wg.Go(func() { println(n) })
		time.AfterFunc(1, func() { println(n) })
	}
}

func leaves(names []string, n int) func() {
	for i := range names {
		if i == 7 {
			keep(func() { println(n) })
			break
		}
		if i == 8 {
			return func() { println(n) }
		}
	}
	return nil
}

func few(n int) {
	for range 4 {
		keep(func() { println(n) })
	}
}

type visitor struct {
	n     int
	inner *visitor
}

func (v *visitor) visit()         { v.n++ }
func (v visitor) value() int      { return v.n }
func (v *visitor) self() *visitor { return v }

func receivers(all []*visitor, v *visitor, one visitor) (fs []func() int) {
	for i, v := range all {
		keep(v.visit)
		keep(all[i].visit)
	}
	for range all {
		keep(v.self().visit)
		fs = append(fs, v.value)
		v.visit()
	}
	for range all {
		fs = append(fs, one.value)
		one.n++
	}
	for range all {
		keep(v.visit)
		v = v.inner
	}
	for range all {
		keep(v.inner.visit)
		v.inner = v
	}
	for range all {
		keep(v.inner.inner.visit)
		replace(&v.inner)
	}
	for v = range next {
		keep(v.visit)
	}
	for range all {
		_ = (*visitor).visit
	}
	return fs
}

func lazily(all []int) {
	var v *visitor
	open := func() { v = &visitor{} }
	for range all {
		if v == nil {
			open()
		}
		keep(v.visit)
	}
	var w *visitor
	for range all {
		replace(&w)
		keep(w.visit)
	}
	keep(func() {
		for range all {
			keep(v.visit)
		}
	})
}

func next(func(*visitor) bool) {}

func replace(**visitor) {}
