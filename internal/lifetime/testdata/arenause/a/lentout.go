package a

import "github.com/heapwright/heapwright/arena"

func inArena[T any](compute func(mem *arena.Arena) T) T {
	mem := arena.NewArena()
	defer mem.Free()
	return compute(mem)
}

func primes(mem *arena.Arena, below int) []int {
	var found []int
	for n := 2; n < below; n++ {
		found = arena.Append(mem, found, n)
	}
	return found
}

// The list of the callback comes from a function that it calls.
func largest(below int) int {
	found := inArena(func(mem *arena.Arena) []int { return primes(mem, below) })
	return found[len(found)-1] // want `found is used after Free of the arena of found \(line \d+\), which inArena calls, which ended its memory`
}

func count(below int) int {
	return inArena(func(mem *arena.Arena) int { return len(primes(mem, below)) })
}

func copied(below int) int {
	found := inArena(func(mem *arena.Arena) []int { return append([]int(nil), primes(mem, below)...) })
	return found[len(found)-1]
}
