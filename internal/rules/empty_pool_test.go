package rules

import "testing"

const pools = `package main

import (
	"bufio"
	"sync"
)

var buffers = sync.Pool{New: func() any { return make([]byte, 0, 512) }}
var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func serve() {
	b := buffers.Get().([]byte)
	r := readers.Get().(*bufio.Reader)
	use(b, r)
}

func use([]byte, *bufio.Reader) {}

func main() { serve() }
`

// An object that the New of a pool makes is not advised to come from a pool.
func TestEmptyPool(t *testing.T) {
	const get = "sync.(*Pool).Get@/go/src/sync/pool.go:150 "
	t.Run("own allocation", func(t *testing.T) {
		s := newScene(t, pools)
		s.churn("runtime.makeslice", s.frame("init.func1", "make([]byte")+get+s.frame("serve", "buffers.Get"))
		has(t, s.wants("empty-pool", "make([]byte").Remedy, "Put every object back")
	})
	t.Run("by a library", func(t *testing.T) {
		s := newScene(t, pools)
		s.churn("bufio.NewReaderSize", s.frame("init.func2", "bufio.NewReader(nil)")+get+s.frame("serve", "readers.Get"))
		s.wants("empty-pool", "bufio.NewReader(nil)")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, pools).without()
		s.churn("bufio.NewReaderSize", s.frame("init.func2", "bufio.NewReader(nil)")+get+s.frame("serve", "readers.Get"))
		s.wants("empty-pool", "bufio.NewReader(nil)")
	})
}
