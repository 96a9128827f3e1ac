package main

import "sync"

type shard struct {
	mu    sync.Mutex
	items map[int][]byte
}

type growingShards struct{ shards [16]*shard }

func newGrowingShards() *growingShards {
	c := &growingShards{}
	for i := range c.shards {
		c.shards[i] = &shard{items: map[int][]byte{}}
	}
	return c
}

func (c *growingShards) put(n int) {
	s := c.shards[n%len(c.shards)]
	value := make([]byte, entry)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[n] = value // grows: sharded
}

// budgeted evicts whatever comes first, until its bytes are within the budget.
type budgeted struct {
	mu    sync.Mutex
	items map[int][]byte
	bytes int
}

type steadyShards struct{ shards [16]*budgeted }

func newSteadyShards() *steadyShards {
	c := &steadyShards{}
	for i := range c.shards {
		c.shards[i] = &budgeted{items: map[int][]byte{}}
	}
	return c
}

func (c *steadyShards) put(n int) {
	s := c.shards[n%len(c.shards)]
	value := make([]byte, entry/2+n%entry)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[n] = value
	s.bytes += len(value)
	for key, v := range s.items {
		if s.bytes <= bound*entry/len(c.shards) {
			break
		}
		s.bytes -= len(v)
		delete(s.items, key)
	}
}
