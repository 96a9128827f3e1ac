package main

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/valyala/bytebufferpool"

	"github.com/heapwright/heapwright/arena"
)

// clones holds the copies of a round.
var clones [32][]byte

var bufferPool = sync.Pool{New: func() any { return new([]byte) }}

func init() {
	for _, c := range []struct{ count, size int }{{8, 256}, {1, 4 << 10}, {32, 4 << 10}} {
		payload := bytes.Repeat([]byte("payload."), c.size/8)
		out := clones[:c.count]
		add := func(variant string, run func(n int)) {
			cases[fmt.Sprintf("clones %d of %d B/%s", c.count, c.size, variant)] = run
		}
		add("heap", repeat(func() {
			for i := range out {
				out[i] = bytes.Clone(payload)
			}
		}))
		add("Bytes", func(n int) {
			a := arena.NewArena()
			for range n {
				for i := range out {
					out[i] = arena.Bytes(a, payload)
				}
				a.Reset()
			}
		})
		add("first use", repeat(func() {
			a := arena.NewArena()
			for i := range out {
				out[i] = arena.Bytes(a, payload)
			}
		}))
		pooled := make([]*[]byte, c.count)
		add("sync.Pool", repeat(func() {
			for i := range out {
				b := bufferPool.Get().(*[]byte)
				*b = append((*b)[:0], payload...)
				out[i], pooled[i] = *b, b
			}
			for _, b := range pooled {
				bufferPool.Put(b)
			}
		}))
		buffers := make([]*bytebufferpool.ByteBuffer, c.count)
		add("bytebufferpool", repeat(func() {
			for i := range out {
				b := bytebufferpool.Get()
				b.Write(payload)
				out[i], buffers[i] = b.B, b
			}
			for _, b := range buffers {
				bytebufferpool.Put(b)
			}
		}))
		add("z.Allocator", func(n int) {
			a := z.NewAllocator(1<<20, "bench")
			for range n {
				for i := range out {
					out[i] = a.Copy(payload)
				}
				a.Reset()
			}
			a.Release()
		})
		floor := make([]byte, c.count*c.size)
		add("floor", repeat(func() {
			for i := range out {
				dst := floor[i*c.size : (i+1)*c.size]
				copy(dst, payload)
				out[i] = dst
			}
		}))
	}
}
