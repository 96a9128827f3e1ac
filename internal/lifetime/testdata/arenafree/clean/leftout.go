package clean

import "github.com/heapwright/heapwright/arena"

func firstApart(pool *arena.Pool, text []string) (total int) {
	var all []*arena.Arena
	for range 4 {
		all = append(all, pool.Get())
	}
	defer all[0].Free()
	for i, t := range text {
		total += len(arena.Concat(all[i%4], t, "\n"))
	}
	for _, a := range all[1:] {
		a.Free()
	}
	return total
}

func firstKept(pool *arena.Pool) *arena.Arena {
	var all []*arena.Arena
	for range 4 {
		all = append(all, pool.Get())
	}
	for _, a := range all[1:] {
		a.Free()
	}
	return all[0]
}

func firstIsOurs(pool *arena.Pool, n int) {
	main := pool.Get()
	defer main.Free()
	all := []*arena.Arena{main}
	for range n {
		all = append(all, pool.Get())
	}
	for _, a := range all[1:] {
		a.Free()
	}
}

func giveAway(pool *arena.Pool, n int) []*arena.Arena {
	all := make([]*arena.Arena, n)
	for i := range all {
		all[i] = pool.Get()
	}
	for i := 1; i < n; i++ {
		all[i].Free()
	}
	return all[:1]
}

func lent(pool *arena.Pool, first *arena.Arena, n int) {
	all := make([]*arena.Arena, n)
	all[0] = first
	for i := 1; i < n; i++ {
		all[i] = pool.Get()
	}
	for i := 1; i < n; i++ {
		all[i].Free()
	}
}
