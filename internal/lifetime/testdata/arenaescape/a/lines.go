package a

import (
	"errors"
	"sync"

	"github.com/heapwright/heapwright/arena"
)

func joinedErrors(pool *arena.Pool, fields []string) error {
	a := pool.Get()
	defer a.Free()
	var all []error
	for _, f := range fields {
		all = append(all, errors.New(arena.Concat(a, f, " is empty")))
	}
	return errors.Join(all...) // want `memory of the arena a is returned, but the deferred Free of a ends it`
}

func resetWhileRead(lines <-chan string) {
	a := arena.NewArena()
	defer a.Free()
	out := make(chan string, 16)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range out {
			println(s)
		}
	}()
	for l := range lines {
		out <- arena.Concat(a, "> ", l)
		a.Reset() // want `this ends memory of the arena a, sent to a goroutine in line 32, which may still read it`
	}
	close(out)
	<-done
}

func methodOfBuffer(title string) func() string {
	a := arena.NewArena()
	defer a.Free()
	b := arena.NewBuffer(a, 0)
	b.WriteString(title)
	return b.String // want `memory of the arena a is returned, but the deferred Free of a ends it`
}

func addsInside(pool *arena.Pool, files [][]byte) {
	a := pool.Get()
	sizes := arena.MakeSlice[int](a, len(files), len(files))
	var wg sync.WaitGroup
	for i, f := range files {
		go func() {
			wg.Add(1)
			defer wg.Done()
			sizes[i] = len(f) // want `a goroutine uses sizes, memory of the arena a, which ends in this function`
		}()
	}
	wg.Wait()
	a.Free()
}

func addsBefore(pool *arena.Pool, files [][]byte) {
	a := pool.Get()
	sizes := arena.MakeSlice[int](a, len(files), len(files))
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i, f := range files {
			wg.Add(1)
			go func() {
				defer wg.Done()
				sizes[i] = len(f)
			}()
		}
	}()
	wg.Wait()
	a.Free()
}

type tree struct {
	name string
	kids []*tree
}

func (t *tree) walk(visit func(*tree)) {
	visit(t)
	for _, k := range t.kids {
		k.walk(visit)
	}
}

func leaves(pool *arena.Pool, names []string) (all []*tree) {
	a := pool.Get()
	defer a.Free()
	root := arena.New[tree](a)
	for _, name := range names {
		k := arena.New[tree](a)
		k.name = name
		root.kids = arena.Append(a, root.kids, k)
	}
	root.walk(func(t *tree) { all = append(all, t) })
	return all // want `memory of the arena a is returned, but the deferred Free of a ends it`
}

func names(pool *arena.Pool) (all []string) {
	a := pool.Get()
	defer a.Free()
	root := arena.New[tree](a)
	root.kids = arena.Append(a, root.kids, arena.New[tree](a))
	root.walk(func(t *tree) { all = append(all, arena.Clone(t.name)) })
	return all
}
