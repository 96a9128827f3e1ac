package main

import (
	"net/http"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"
)

// The benchmarks are of the decoder that OTLPINGEST_DECODER names, so that heapwright
// compares decoders by modes:
//
//	heapwright compare -C workloads/otlpingest . -modes default,OTLPINGEST_DECODER=arenapb

// chosen returns a receiver with that decoder.
func chosen(b *testing.B) receiver {
	b.Helper()
	register, ok := decoders[decoderName()]
	if !ok {
		b.Skipf("this binary has no decoder %q", decoderName())
	}
	return register(newCounts())
}

// BenchmarkHTTP answers a request of 512 records in protobuf. There is no network.
func BenchmarkHTTP(b *testing.B) {
	for _, r := range requests(0, batch) {
		b.Run(r.signal, func(b *testing.B) { benchmarkHTTP(b, r.signal, protobufType, encoded(b, r)) })
	}
}

// BenchmarkJSON answers the same request in JSON.
func BenchmarkJSON(b *testing.B) {
	for _, r := range requests(0, batch) {
		b.Run(r.signal, func(b *testing.B) {
			body, err := asJSON(encoded(b, r), r.collector)
			if err != nil {
				b.Fatal(err)
			}
			benchmarkHTTP(b, r.signal, jsonType, body)
		})
	}
}

func benchmarkHTTP(b *testing.B, signal, contentType string, body []byte) {
	r := chosen(b)
	routes := r.routes()
	b.ReportAllocs()
	for b.Loop() {
		if status, answer := postAs(contentType, routes, "/v1/"+signal, "", body); status != http.StatusOK {
			b.Fatalf("%d %q", status, answer)
		}
	}
	checkCounts(b, r, signal)
}

// BenchmarkGRPC makes a call with 512 records over loopback. Its client sends bytes that
// were encoded before.
func BenchmarkGRPC(b *testing.B) {
	for _, e := range requests(0, batch) {
		b.Run(e.signal, func(b *testing.B) {
			r := chosen(b)
			client, body := dial(b, r), encoded(b, e)
			b.ReportAllocs()
			for b.Loop() {
				var response []byte
				if err := client.Invoke(b.Context(), e.method, body, &response, grpc.ForceCodecV2(rawCodec{})); err != nil {
					b.Fatal(err)
				}
			}
			checkCounts(b, r, e.signal)
		})
	}
}

// checkCounts fails unless every request was counted: 8 of 512 records are invalid.
func checkCounts(b *testing.B, r receiver, signal string) {
	b.Helper()
	got := r.counts.snapshot()[signal]["checkout-0"]
	if n := int64(b.N); got.Rejected < 8*n || got.Rejected%8 != 0 || got.Accepted+got.Filtered != got.Rejected/8*(batch-8) {
		b.Errorf("counted %+v in %d requests", got, n)
	}
}

// rawCodec sends and receives messages that are bytes.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}
