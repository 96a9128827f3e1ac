// Sessions are opened, and closed only by clients that say good-bye.
package main

import (
	"strconv"
	"sync"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type session struct {
	user  string
	items [40]int
}

var (
	mu       sync.Mutex
	sessions = map[string]*session{}
)

func open(id, user string) *session {
	s := &session{user: user}
	mu.Lock()
	defer mu.Unlock()
	sessions[id] = s // want: unbounded-growth
	return s
}

func serve(id int) (sum int) {
	s := open("session-"+strconv.Itoa(id), "a user")
	for i := range s.items {
		for j := range 100 {
			s.items[i] += i * j
		}
		sum += s.items[i]
	}
	return sum
}

var total int

func main() {
	n := 0
	harness.Run(func() {
		for range 200 {
			n++
			total += serve(n)
		}
	})
}
