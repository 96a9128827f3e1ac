package main

import (
	"testing"

	"github.com/valyala/bytebufferpool"
)

// BenchmarkRequest sends batches over loopback, one after the other. One in ten
// brings a new series, which the leaky gateway keeps, with all of its batch: the
// longer it runs, the larger the heap.
func BenchmarkRequest(b *testing.B) {
	for _, name := range []string{"leaky", "cured"} {
		b.Run(name, func(b *testing.B) {
			gateway, err := start("127.0.0.1:0", name == "cured")
			if err != nil {
				b.Fatal(err)
			}
			defer func() {
				if err := gateway.stop(); err != nil {
					b.Error(err)
				}
			}()
			caller, err := dial(gateway.listener.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			defer caller.conn.Close()
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				if _, err := caller.send(i); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkProcess translates batches whose series are known.
func BenchmarkProcess(b *testing.B) {
	var bodies [64][]byte
	for i := range bodies {
		bodies[i] = appendBatch(nil, i)
	}
	b.Run("leaky", func(b *testing.B) {
		g := newLeaky(nil)
		i := 0
		b.ReportAllocs()
		for b.Loop() {
			if _, err := g.Process("ann", string(bodies[i%len(bodies)])); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
	b.Run("cured", func(b *testing.B) {
		g := newCured(nil)
		var out bytebufferpool.ByteBuffer
		i := 0
		b.ReportAllocs()
		for b.Loop() {
			out.Reset()
			if err := g.Process("ann", bodies[i%len(bodies)], &out); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
}
