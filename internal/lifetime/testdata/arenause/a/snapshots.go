package a

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

type snapshot struct {
	a       *arena.Arena
	holders int
	values  *arena.Map[string, string]
}

func newSnapshot() *snapshot {
	a := arena.NewArena()
	return &snapshot{a: a, holders: 1, values: arena.NewMap[string, string](a, 0)}
}

type settings struct {
	mu  sync.Mutex
	now *snapshot
}

func (c *settings) acquire() *snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now.holders++
	return c.now
}

func (c *settings) release(s *snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.holders--; s.holders == 0 {
		s.a.Free()
	}
}

func (c *settings) renew() {
	s := newSnapshot()
	c.mu.Lock()
	old := c.now
	c.now = s
	c.mu.Unlock()
	c.release(old)
}

func (c *settings) flag(name string) bool {
	s := c.acquire()
	v, ok := s.values.Get(name)
	c.release(s)
	return ok && v != "off" // want `v is used after .*Free`
}

func (c *settings) isOn(name string) bool {
	s := c.acquire()
	defer c.release(s)
	v, ok := s.values.Get(name)
	return ok && v != "off"
}

// The caller of size is a holder, too.
func (c *settings) size(s *snapshot) int {
	s.holders++
	n := s.values.Len()
	c.release(s)
	return n + s.values.Len()
}
