package arenagrpc

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/gc"
)

// inbox holds the arenas of messages between the codec and whoever frees them,
// which is called next by the same goroutine. It drops those that nobody has taken
// after two collections: gRPC refused their calls.
type inbox struct {
	shards [64]shard
	aging  atomic.Bool // age is called after the next collection

	// held is the encoded size, in bytes, of the messages whose arenas are here.
	held atomic.Int64
}

// maxHeld bounds held, in bytes: arenas that wait for two collections make each of them
// keep more than the one before. With a stats handler, messages wait for microseconds. With
// [ServerOptions].NoStatsHandler they wait until the client has ended its half of the call, so a
// client that does not end it has the messages of others decoded onto the heap.
const maxHeld = 1 << 20

// full reports that the next message must be decoded without an arena.
func (r *inbox) full() bool { return r.held.Load() >= maxHeld }

// A holding is the arena of a message of that many encoded bytes.
type holding struct {
	arena *arena.Arena
	size  int64
}

type shard struct {
	sync.Mutex
	arenas, old map[unsafe.Pointer]holding
	_           [40]byte // a cache line each
}

func (r *inbox) shard(message unsafe.Pointer) *shard {
	return &r.shards[uintptr(message)>>6%uintptr(len(r.shards))]
}

// address returns where a message lies, the second word of an interface
// (runtime/runtime2.go).
func address(m any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&m))[1] }

func (r *inbox) put(message any, a *arena.Arena, size int) {
	p := address(message)
	s := r.shard(p)
	s.Lock()
	if s.arenas == nil {
		s.arenas = map[unsafe.Pointer]holding{}
	}
	r.held.Add(int64(size) - s.arenas[p].size - s.old[p].size)
	s.arenas[p] = holding{a, int64(size)}
	delete(s.old, p)
	s.Unlock()
	r.ageLater()
}

// take returns the arena of a message, nil if there is none.
func (r *inbox) take(message any) *arena.Arena {
	p := address(message)
	s := r.shard(p)
	s.Lock()
	defer s.Unlock()
	h, ok := s.arenas[p]
	if ok {
		delete(s.arenas, p)
	} else {
		h = s.old[p]
		delete(s.old, p)
	}
	r.held.Add(-h.size)
	return h.arena
}

// age drops the arenas that were there at the collection before the last.
func (r *inbox) age() {
	r.aging.Store(false)
	left := false
	for i := range r.shards {
		s := &r.shards[i]
		s.Lock()
		for _, h := range s.old {
			r.held.Add(-h.size)
		}
		if s.old = nil; len(s.arenas) > 0 {
			s.arenas, s.old, left = nil, s.arenas, true
		}
		s.Unlock()
	}
	if left {
		r.ageLater()
	}
}

// ageLater has age called after the next collection, if r is then still alive.
func (r *inbox) ageLater() {
	if !r.aging.Load() && !r.aging.Swap(true) {
		gc.After(r, (*inbox).age)
	}
}
