//go:build !race && !arenadebug

package arenajson

import (
	"runtime"
	"sync"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// TestStaleValues reads and writes decoded values after their arenas were freed,
// while others are decoded into the same memory and the collector runs all the time.
// A lock separates each use from the decoding, because data races are another kind of
// bug.
func TestStaleValues(t *testing.T) {
	var pool arena.Pool
	var lock sync.Mutex
	var stale []*tree
	var users, collections sync.WaitGroup
	done := make(chan struct{})
	collections.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	})
	for worker := range 4 {
		users.Go(func() {
			for i := range 200 {
				lock.Lock()
				a := pool.Get()
				v := arena.New[tree](a)
				if err := (UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, []byte(inputs[17]), v); err != nil {
					t.Error(err)
				}
				a.Free()
				stale = append(stale, v)
				use(stale[(7*i+worker)%len(stale)])
				lock.Unlock()
			}
		})
	}
	users.Wait()
	close(done)
	collections.Wait()
}

// use reads and writes the values that a stale value refers to.
func use(v *tree) {
	v.Name = string(append([]byte(v.Name), 'x'))
	v.Any = []any{v.Name, v.Any}
	v.Fixed[0].X = append(v.Fixed[0].X, len(v.Both))
	for i := range v.Children {
		v.Children[i].Next = &tree{Name: v.Children[i].Name}
		v.Children[i].Value = new(float64)
	}
}
