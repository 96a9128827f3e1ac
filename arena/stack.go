package arena

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/heapwright/heapwright/arena/internal/gc"
)

// A coreStack hands out the core that was pushed last, so it grows to as many as are
// in use at once. It drops cores that were not needed for two collection cycles, as a
// sync.Pool does.
type coreStack struct {
	some  atomic.Bool // cores is not empty
	mu    sync.Mutex
	cores []*core
	idle  int  // the first idle of cores have not been needed since the last collection
	aging bool // age is called after the next collection
}

// pop returns nil if the stack is empty.
func (s *coreStack) pop() *core {
	if !s.some.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.cores) - 1
	if last < 0 {
		return nil
	}
	c := s.cores[last]
	s.cores[last] = nil
	s.cores = s.cores[:last]
	s.some.Store(last > 0)
	s.idle = min(s.idle, last)
	return c
}

func (s *coreStack) push(c *core) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cores = append(s.cores, c)
	s.some.Store(true)
	s.ageLater()
}

// age is called after a collection.
func (s *coreStack) age() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropIdle()
	s.aging = false
	if s.idle > 0 {
		s.ageLater()
	}
}

// dropIdle drops the cores that were not needed since its last call. The caller holds
// s.mu.
func (s *coreStack) dropIdle() {
	s.cores = slices.Delete(s.cores, 0, s.idle)
	s.idle = len(s.cores)
	s.some.Store(s.idle > 0)
}

// ageLater has age called after the next collection, if the stack is then still alive.
func (s *coreStack) ageLater() {
	if !s.aging {
		s.aging = true
		gc.After(s, (*coreStack).age)
	}
}
