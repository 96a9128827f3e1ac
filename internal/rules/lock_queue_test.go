package rules

import (
	"fmt"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const limited = `package main

import (
	"net/http"
	"sync"
)

type store struct {
	mu     sync.Mutex
	limits map[string]int
}

func (s *store) write(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limits[key]++
	return send(key)
}

func send(key string) error {
	_, err := http.Get(key)
	return err
}

func main() {}
`

// queue adds goroutine profiles a minute apart, in which goroutines wait for the lock that one
// holds while it waits for the network.
func (s *scene) queue(counts ...int64) *scene {
	const end = "runtime.goexit@/go/src/runtime/asm.s:1"
	for i, n := range counts {
		m := profiletest.New("goroutine/count")
		m.TimeNanos = (1_700_000_000 + int64(60*i)) * 1e9
		m.Add("runtime.gopark@/go/src/runtime/proc.go:1 sync.runtime_SemacquireMutex@/go/src/runtime/sema.go:1 "+
			"sync.(*Mutex).Lock@/go/src/sync/mutex.go:1 "+s.frame("(*store).write", "s.mu.Lock()")+end, n)
		m.Add("runtime.gopark@/go/src/runtime/proc.go:1 internal/poll.(*FD).Read@/go/src/internal/poll/fd.go:1 "+
			"net/http.Get@/go/src/net/http/client.go:1 "+s.frame("send", "http.Get(key)")+
			s.frame("(*store).write", "return send(key)")+end, 1)
		s.waits = append(s.waits, m)
	}
	return s
}

func TestLockQueue(t *testing.T) {
	t.Run("a queue", func(t *testing.T) {
		f := newScene(t, limited).queue(50, 48, 51, 50).wants("lock-queue", "s.mu.Lock()")
		has(t, f.Title, "50 goroutines queue all the time for s.mu, which is locked while main.go:21 waits")
		has(t, f.Remedy, "Hold the lock for a shorter time")
		if f.Confidence != evidence.High {
			t.Error(f.Confidence)
		}
	})
	for _, counts := range [][]int64{{50}, {50, 0, 50}, {8, 9, 8}, {20, 60, 120}} {
		t.Run(fmt.Sprint("none ", counts), func(t *testing.T) {
			newScene(t, limited).queue(counts...).wantsNone("lock-queue")
		})
	}
}
