// Package expirable is a cache whose entries expire.
package expirable

import (
	"sync"
	"time"
)

type entry[V any] struct {
	value V
	until time.Time
}

// Cache holds entries for some time.
type Cache[K comparable, V any] struct {
	mu      sync.Mutex
	entries map[K]entry[V]
	ttl     time.Duration
	done    chan struct{}
}

// New returns a cache that forgets entries after ttl.
func New[K comparable, V any](ttl time.Duration) *Cache[K, V] {
	c := &Cache[K, V]{entries: map[K]entry[V]{}, ttl: ttl, done: make(chan struct{})}
	go c.expire()
	return c
}

func (c *Cache[K, V]) expire() {
	tick := time.NewTicker(c.ttl / 10)
	defer tick.Stop()
	for {
		select {
		case <-c.done:
			return
		case now := <-tick.C:
			c.mu.Lock()
			for k, e := range c.entries {
				if now.After(e.until) {
					delete(c.entries, k)
				}
			}
			c.mu.Unlock()
		}
	}
}

// Add keeps a value for the cache's ttl.
func (c *Cache[K, V]) Add(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = entry[V]{value, time.Now().Add(c.ttl)}
}

// Get returns the value of a key.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	return e.value, ok && time.Now().Before(e.until)
}
