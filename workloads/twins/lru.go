package main

import (
	"container/list"
	"sync"
)

type page struct {
	key  int
	body []byte
}

// lru evicts by a helper. The growing twin has the same code, with a bound that is
// never reached.
type lru struct {
	mu    sync.Mutex
	limit int
	order *list.List
	pages map[int]*list.Element
}

func newLRU(limit int) *lru {
	return &lru{limit: limit, order: list.New(), pages: map[int]*list.Element{}}
}

func (c *lru) put(n int) {
	p := &page{n, make([]byte, entry)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages[n] = c.order.PushFront(p) // grows: lru
	if c.order.Len() > c.limit {
		c.evict(c.order.Back())
	}
}

func (c *lru) evict(e *list.Element) {
	c.order.Remove(e)
	delete(c.pages, e.Value.(*page).key)
}
