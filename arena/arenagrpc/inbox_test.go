package arenagrpc

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
)

// TestReceived compares it with a model, which counts the collections that each arena
// has waited.
func TestReceived(t *testing.T) {
	type waiting struct {
		arena       *arena.Arena
		collections int
	}
	messages := make([]*message, 8)
	for i := range messages {
		messages[i] = new(message)
	}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		tested, model := new(inbox), map[*message]waiting{}
		tested.aging.Store(true) // age is called by this test alone
		for range 100 {
			switch m := messages[r.IntN(len(messages))]; r.IntN(5) {
			case 0, 1:
				a := new(arena.Arena)
				tested.put(m, a, 1)
				model[m] = waiting{arena: a}
			case 2, 3:
				if got, want := tested.take(m), model[m].arena; got != want {
					t.Fatalf("seed %d: took %p, want %p", seed, got, want)
				}
				delete(model, m)
			case 4:
				tested.age()
				tested.aging.Store(true)
				for m, w := range model {
					w.collections++
					model[m] = w
				}
				maps.DeleteFunc(model, func(_ *message, w waiting) bool { return w.collections == 2 })
			}
		}
		for m, w := range model {
			if got := tested.take(m); got != w.arena {
				t.Fatalf("seed %d: took %p in the end, want %p", seed, got, w.arena)
			}
		}
		if n := tested.held.Load(); n != 0 {
			t.Fatalf("seed %d: %d bytes count as held of none", seed, n)
		}
		if n := tested.len(); n != 0 {
			t.Fatalf("seed %d: %d arenas wait that nobody can take", seed, n)
		}
	}
}

func (r *inbox) len() (n int) {
	for i := range r.shards {
		n += len(r.shards[i].arenas) + len(r.shards[i].old)
	}
	return n
}

// The memory of refused calls is bounded between two collections.
func TestReceivedIsBounded(t *testing.T) {
	var pool arena.Pool
	c := ServerOptions{}.codec(&pool)
	data, err := proto.Marshal(wrapperspb.String(strings.Repeat("x", 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	c.received.aging.Store(true) // no collection drops anything
	var refused []*wrapperspb.StringValue
	for range 20 {
		m := new(wrapperspb.StringValue)
		if err := c.Unmarshal(mem.BufferSlice{mem.SliceBuffer(data)}, m); err != nil || len(m.Value) != 1<<20 {
			t.Fatal(err)
		}
		refused = append(refused, m)
	}
	if n := c.received.len(); n > maxHeld>>20 {
		t.Errorf("%d arenas of 1 MiB wait, want at most %d", n, maxHeld>>20)
	}
	for _, m := range refused {
		c.received.take(m).Free()
	}
	if c.received.full() {
		t.Error("nothing waits, and yet there is no room")
	}
}
