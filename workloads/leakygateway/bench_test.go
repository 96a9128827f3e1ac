package main

import (
	"testing"

	"github.com/valyala/bytebufferpool"
)

// Both benchmarks measure the gateway that the build serves, so that modes
// compare the leaky one with the cured one:
//
//	heapwright compare ./workloads/leakygateway -modes default,tags=cured

// BenchmarkRequest sends batches over loopback, one after the other. One in ten
// brings a new series, which the leaky gateway keeps, with all of its batch: the
// longer it runs, the larger the heap.
func BenchmarkRequest(b *testing.B) {
	gateway, err := start("127.0.0.1:0", curedByDefault)
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := gateway.stop(); err != nil {
			b.Error(err)
		}
	}()
	caller, err := dial(gateway.Addr())
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
}

// BenchmarkProcess translates batches whose series are known.
func BenchmarkProcess(b *testing.B) {
	var bodies [64][]byte
	for i := range bodies {
		bodies[i] = appendBatch(nil, i)
	}
	leaky, cured := newLeaky(nil), newCured(nil)
	var out bytebufferpool.ByteBuffer
	process := func(body []byte) error {
		if curedByDefault {
			out.Reset()
			return cured.Process("ann", body, &out)
		}
		_, err := leaky.Process("ann", string(body))
		return err
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if err := process(bodies[i%len(bodies)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
