package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/heapwright/heapwright/workloads/program/command"
)

// BenchmarkClone sends requests over loopback, 16 of them at a time (on two
// cores), so that the cost of waking an idle thread for each message does not
// mask the cost of the clones. An operation is one request.
func BenchmarkClone(b *testing.B) {
	for _, cell := range []struct {
		name         string
		size, clones int
	}{
		{"256Bx8", 256, 8},
		{"1KiBx8", 1 << 10, 8},
		{"4KiBx1", 4 << 10, 1},
		{"4KiBx32", 4 << 10, 32},
	} {
		b.Run(cell.name, func(b *testing.B) {
			loop := start(b, cell.clones)
			request := payload(cell.size)
			b.ReportAllocs()
			b.SetParallelism(8)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := loop.call(b.Context(), request); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// start returns a server and client that are closed with the test.
func start(tb testing.TB, clones int) *loopback {
	tb.Helper()
	loop, err := listen(clones)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := loop.close(); err != nil {
			tb.Error(err)
		}
	})
	if _, err := loop.call(context.Background(), payload(minPayload)); err != nil {
		tb.Fatal(err) // the connection is made with the first call
	}
	return loop
}

func TestCommand(t *testing.T) {
	// The check value is the same wherever the clones live.
	want := fmt.Sprintf("100 requests of 1024 bytes, cloned 8 times in %s\t check: 0000001158a52f58\n", where)
	for _, callers := range []string{"1", "8", "200"} {
		var got strings.Builder
		args := []string{"-payload", "1024", "-clones", "8", "-requests", "100", "-callers", callers}
		if err := run(t.Context(), args, &got, io.Discard); err != nil {
			t.Fatal(err)
		}
		if got.String() != want {
			t.Errorf("%s callers: got\n%swant\n%s", callers, &got, want)
		}
	}
}

func TestWrongUsage(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-payload 15", "-payload 15: use 16 to "},
		{"-payload 4194304", "-payload 4194304: use 16 to "},
		{"-clones 0", "use 1 or more"},
		{"-callers 0", "use 1 or more"},
		{"1024", `argument "1024"`},
		{"-copies 1", "-copies"},
	} {
		err := run(t.Context(), strings.Fields(test.args), io.Discard, io.Discard)
		if _, ok := err.(command.UsageError); !ok || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want a usage error with %q", test.args, err, test.want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := run(ctx, []string{"-requests", "1000000"}, io.Discard, io.Discard)
	if err == nil {
		t.Error("a cancelled run reports no error")
	}
}

func TestLargestAndSmallestPayload(t *testing.T) {
	loop := start(t, 2)
	for _, size := range []int{minPayload, maxPayload} {
		request := payload(size)
		response, err := loop.call(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if len(response) != size {
			t.Errorf("%d bytes came back for %d", len(response), size)
		}
		if size > minPayload && !bytes.Equal(response[8:size-4], request[8:size-4]) {
			t.Error("the clone's payload differs from the request's")
		}
	}
	if _, err := loop.call(t.Context(), payload(minPayload-1)); status.Code(err) != codes.InvalidArgument {
		t.Errorf("a payload that is too small: got %v, want InvalidArgument", err)
	}
}

func TestClonesAreIndependent(t *testing.T) {
	original, err := decode(payload(64))
	if err != nil {
		t.Fatal(err)
	}
	mem := newMemory()
	defer mem.free()
	before := original.checksum(0)
	first, second := mem.clone(original), mem.clone(original)
	first.assign(1)
	if original.checksum(0) != before || second.checksum(0) != before {
		t.Error("changing one clone changed another record")
	}
	if first.checksum(0) == before {
		t.Error("assigning a replica does not change its check value")
	}
}

// TestClonesAreTheSameInAllMemory clones records with nil, empty and shared parts.
// The test runs in the builds for the heap, for Go's arenas and for this project's.
func TestClonesAreTheSameInAllMemory(t *testing.T) {
	labels := []label{{"a", "b"}}
	shared := &origin{region: "here", shard: 3}
	for name, r := range map[string]*record{
		"nil":    {id: 1},
		"empty":  {id: 2, payload: []byte{}, origin: &origin{}, labels: []label{}},
		"room":   {id: 3, payload: make([]byte, 0, 8), labels: labels[:0]},
		"full":   {id: 4, payload: []byte{1, 2}, origin: shared, labels: labels},
		"shared": {id: 5, origin: shared, labels: labels},
	} {
		t.Run(name, func(t *testing.T) {
			mem := newMemory()
			defer mem.free()
			first, second := mem.clone(r), mem.clone(r)
			if !reflect.DeepEqual(first, r) || !reflect.DeepEqual(second, r) {
				t.Errorf("clones are %+v and %+v, want %+v", *first, *second, *r)
			}
			if r.origin != nil && (first.origin == r.origin || first.origin == second.origin) {
				t.Error("clones share an origin")
			}
			if b := mem.bytes(r.payload); (b == nil) != (r.payload == nil) || !bytes.Equal(b, r.payload) {
				t.Errorf("a copy of bytes is %#v, want %#v", b, r.payload)
			}
		})
	}
}
