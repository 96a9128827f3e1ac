// Package shelf keeps values, and knows neither arenas nor pools.
package shelf

import "container/list"

type entry[V any] struct {
	key   string
	value V
}

type Shelf[V any] struct {
	order *list.List
	items map[string]*entry[V]
	slots []V
}

func New[V any]() *Shelf[V] {
	return &Shelf[V]{order: list.New(), items: map[string]*entry[V]{}}
}

// Put keeps v by way of a variable.
func (s *Shelf[V]) Put(key string, v V) {
	e := &entry[V]{key: key, value: v}
	s.items[key] = e
}

// Push keeps v in a list.
func (s *Shelf[V]) Push(v V) { s.order.PushBack(entry[V]{"", v}) }

// Add keeps v by way of another method.
func (s *Shelf[V]) Add(v V) { s.add(v) }

func (s *Shelf[V]) add(v V) { s.slots = append(s.slots, v) }

// Has keeps nothing.
func (s *Shelf[V]) Has(key string, v V) bool {
	e := entry[V]{key: key, value: v}
	return s.items[e.key] != nil
}
