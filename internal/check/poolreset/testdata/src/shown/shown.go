// Package shown prints maps of pooled values to which hooks may have added entries.
package shown

import (
	"fmt"
	"sync"
)

type entry struct {
	msg  string
	data map[string]any
}

type hook interface{ Fire(*entry) }

type logger struct {
	hooks   []hook
	entries sync.Pool
}

func (l *logger) log(msg string) {
	e := l.entries.Get().(*entry)
	e.msg = msg
	for _, h := range l.hooks {
		h.Fire(e)
	}
	fmt.Println(e.msg, e.data)
	l.entries.Put(e) // want `e.data goes back to the pool with its contents, and nothing resets it after Get`
}

type clearing struct {
	hooks   []func(*entry)
	entries sync.Pool
}

func (l *clearing) log(msg string) {
	e := l.entries.Get().(*entry)
	e.msg = msg
	for _, h := range l.hooks {
		h(e)
	}
	fmt.Println(e.msg, e.data)
	clear(e.data)
	l.entries.Put(e)
}

var lines, emptied sync.Pool
