package arenagrpc

import (
	"testing"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// A client that does not end its small calls holds no memory of large messages.
func TestSmallMessagesHoldNoMemoryOfLarge(t *testing.T) {
	c := ServerOptions{Text: arena.TextArena}.codec(new(arena.Pool))
	decoded := func(bytes int) *arena.Arena {
		t.Helper()
		data, err := proto.Marshal(wrapperspb.Bytes(make([]byte, bytes)))
		if err != nil {
			t.Fatal(err)
		}
		m := new(message)
		if err := c.Unmarshal(mem.BufferSlice{mem.SliceBuffer(data)}, m); err != nil {
			t.Fatal(err)
		}
		return c.received.take(m)
	}
	for _, size := range []int{200, 2000, 20_000} {
		var held int64
		const calls = 20
		for range calls {
			decoded(1 << 20).Free()
			decoded(50 * size).Free()
			held += decoded(size).Stats().Retained
		}
		if most := int64(calls * 40 * size); held > most {
			t.Errorf("%d messages of %d bytes hold %d bytes, want at most %d", calls, size, held, most)
		}
	}
}

func TestPoolsBySize(t *testing.T) {
	p := newPools(new(arena.Pool))
	for i, bytes := range []int{0, 255, 256, 2047, 2048, 16<<10 - 1, 16 << 10, 128<<10 - 1, 128 << 10, 1 << 30} {
		if p.forSize(bytes) != p[i/2] {
			t.Errorf("messages of %d bytes are not in class %d", bytes, i/2)
		}
	}
}
