package a

import "github.com/heapwright/heapwright/arena"

func butFirst(pool *arena.Pool, text []string) (total int) {
	var all []*arena.Arena
	for range 4 {
		all = append(all, pool.Get()) // want `the first of these arenas is never freed: the loop in line 14 leaves it out`
	}
	for i, t := range text {
		total += len(arena.Concat(all[i%4], t, "\n"))
	}
	for _, a := range all[1:] {
		a.Free()
	}
	return total
}

func butLast(pool *arena.Pool, n int) int {
	all := make([]*arena.Arena, n)
	for i := range all {
		all[i] = pool.Get() // want `the last of these arenas is never freed`
	}
	for i := 0; i < n-1; i++ {
		all[i].Free()
	}
	return n
}

type shard struct {
	a    *arena.Arena
	docs []int
}

type shards []shard

func newShards(n int) shards {
	s := make(shards, n)
	for i := range s {
		s[i].a = arena.NewArena() // want `the first of these arenas is never freed`
	}
	return s
}

func (s shards) add(doc int) {
	at := &s[doc%len(s)]
	at.docs = arena.Append(at.a, at.docs, doc)
}

func (s shards) free() {
	for i := 1; i < len(s); i++ {
		s[i].a.Free()
	}
}
