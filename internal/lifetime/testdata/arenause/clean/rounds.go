package clean

import "github.com/heapwright/heapwright/arena"

// A counter has a value in one round of its loop.
func lastRound(docs []string) (n int) {
	if len(docs) == 0 {
		return 0
	}
	a := arena.NewArena()
	for i, d := range docs {
		n += len(arena.String(a, d))
		if i == len(docs)-1 {
			a.Free()
		}
	}
	return n
}

func firstRounds(docs [20]string) {
	a := arena.NewArena()
	for i := 0; i < 20; i++ {
		if i < 10 {
			arena.String(a, docs[i])
		}
		if i == 10 {
			a.Free()
		}
	}
}
