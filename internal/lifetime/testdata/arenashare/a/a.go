package a

import (
	"sync"

	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

type point = helper.Point

func decode(a *arena.Arena, part string) { arena.String(a, part) }

func loop(a *arena.Arena, parts []string) {
	for _, part := range parts {
		go func() { // want `this goroutine shares the arena a`
			decode(a, part) // want `each round of the loop starts a goroutine that uses the arena a`
		}()
	}
}

func loopCall(a *arena.Arena, parts []string) {
	for _, part := range parts {
		go decode(a, part) // want `each round of the loop`
	}
}

func counted(a *arena.Arena) {
	for i := 0; i < 4; i++ {
		go func() { // want `this goroutine shares the arena a`
			arena.New[point](a) // want `each round of the loop`
		}()
	}
}

func group(parts []string) {
	a := arena.NewArena()
	defer a.Free()
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Add(1)
		go func() { // want `this goroutine shares the arena a`
			defer wg.Done()
			decode(a, part) // want `each round of the loop`
		}()
	}
	wg.Wait()
}

func groupGo(parts []string) {
	a := arena.NewArena()
	defer a.Free()
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() { decode(a, part) }) // want `each round of the loop`
	}
	wg.Wait()
}

func beside(a *arena.Arena) {
	go decode(a, "x") // want `this goroutine shares the arena a`
	decode(a, "y")    // want `the arena a is used here while the goroutine that began in line \d+ may use it`
}

func besideLiteral(a *arena.Arena) *point {
	go func() { arena.New[point](a) }() // want `this goroutine shares the arena a`
	return arena.New[point](a)          // want `the arena a is used here`
}

func ended(pool *arena.Pool) {
	a := pool.Get()
	go decode(a, "x") // want `this goroutine shares the arena a`
	a.Free()          // want `the arena a is used here`
}

func two(a *arena.Arena) {
	go decode(a, "x") // want `this goroutine shares the arena a`
	go decode(a, "y") // want `the arena a is used here`
}

func twoGroup(a *arena.Arena) {
	var wg sync.WaitGroup
	wg.Go(func() { decode(a, "x") }) // want `this goroutine shares the arena a`
	wg.Go(func() { decode(a, "y") }) // want `the arena a is used here`
	wg.Wait()
}

func inBranch(a *arena.Arena, x bool) {
	if x {
		go decode(a, "x") // want `this goroutine shares the arena a`
		a.Reset()         // want `the arena a is used here`
	}
}

type server struct{ pool arena.Pool }

func (s *server) method(parts []string) {
	a := s.pool.Get()
	defer a.Free()
	for _, part := range parts {
		go func() { // want `this goroutine shares the arena a`
			decode(a, part) // want `each round of the loop`
		}()
	}
}

func generic[T any](a *arena.Arena) *T {
	go func() { arena.New[T](a) }() // want `this goroutine shares the arena a`
	return arena.New[T](a)          // want `the arena a is used here`
}

func literal(a *arena.Arena) func() {
	return func() {
		b := arena.NewArena()
		go decode(b, "x") // want `this goroutine shares the arena b`
		decode(b, "y")    // want `the arena b is used here`
	}
}

func passed(a *arena.Arena) {
	go func(a *arena.Arena) { // want `this goroutine shares the arena a`
		decode(a, "x")
	}(a)
	decode(a, "y") // want `the arena a is used here`
}

func laterLoop(a *arena.Arena, parts []string) {
	go decode(a, "x") // want `this goroutine shares the arena a`
	for _, part := range parts {
		decode(a, part) // want `the arena a is used here`
	}
}

func laterIf(a *arena.Arena, x bool) {
	go decode(a, "x") // want `this goroutine shares the arena a`
	if x {
		decode(a, "y") // want `the arena a is used here`
	}
}

func switched(a *arena.Arena, n int) {
	switch n {
	case 1:
		go decode(a, "x") // want `this goroutine shares the arena a`
		decode(a, "y")    // want `the arena a is used here`
	}
}

func endless(a *arena.Arena) {
	for {
		go decode(a, "x") // want `each round of the loop`
	}
}

func methodOf(a *arena.Arena) {
	go func() { a.Reset() }() // want `this goroutine shares the arena a`
	arena.New[point](a)       // want `the arena a is used here`
}

func workers(a *arena.Arena, in chan string) {
	for range 4 {
		go func() { // want `this goroutine shares the arena a`
			for part := range in {
				decode(a, part) // want `each round of the loop`
			}
		}()
	}
}

type session struct {
	room *arena.Arena
	last *point
}

func newSession(pool *arena.Pool) *session {
	room := pool.Get()
	return &session{room: room}
}

func (s *session) run()   { s.last = arena.New[point](s.room) } // want `each round of the loop starts a goroutine that uses the arena of s`
func (s *session) close() { s.room.Free() }

func sessions(pool *arena.Pool) {
	s := newSession(pool)
	defer s.close()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { s.run() }) // want `this goroutine shares the arena of s`
	}
	wg.Wait()
}
