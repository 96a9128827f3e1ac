package main

import (
	"fmt"
	"strings"
	"sync"
)

// interned is a table that nothing is taken from. It is bounded where the names are.
type interned struct {
	mu    sync.Mutex
	names int
	table map[string]string
}

func newInterned(names int) *interned { return &interned{names: names, table: map[string]string{}} }

func (t *interned) name(n int) {
	name := fmt.Sprint(n%t.names, strings.Repeat(".", entry))
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.table[name]; !ok {
		t.table[name] = name // grows: intern
	}
}
