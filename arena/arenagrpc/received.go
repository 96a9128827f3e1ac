package arenagrpc

import (
	"sync"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
)

// received holds the arenas of messages from the codec to the stats handler,
// which is called next by the same goroutine.
type received [64]struct {
	sync.Mutex
	arenas map[unsafe.Pointer]*arena.Arena
	_      [48]byte // a cache line each
}

// address returns where a message lies, the second word of an interface
// (runtime/runtime2.go).
func address(m any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(&m))[1] }

func (r *received) put(m any, a *arena.Arena) {
	p := address(m)
	s := &r[uintptr(p)>>6%uintptr(len(r))]
	s.Lock()
	defer s.Unlock()
	if s.arenas == nil {
		s.arenas = map[unsafe.Pointer]*arena.Arena{}
	}
	s.arenas[p] = a
}

// take returns the arena of a message, nil if there is none.
func (r *received) take(m any) *arena.Arena {
	p := address(m)
	s := &r[uintptr(p)>>6%uintptr(len(r))]
	s.Lock()
	defer s.Unlock()
	a := s.arenas[p]
	delete(s.arenas, p)
	return a
}

// A last is the message of a call that was received last. A stream may receive
// in a goroutine that the handler does not wait for.
type last struct {
	sync.Mutex
	message any
	arena   *arena.Arena
	ended   bool
}

// replace notes that a message was received.
func (l *last) replace(r *received, message any, free bool) {
	a := r.take(message)
	l.Lock()
	defer l.Unlock()
	if l.ended {
		return // the collector finds a message that was received too late
	}
	if free {
		l.arena.Free()
	}
	l.message, l.arena = message, a
}

// end frees the message at the end of its call. A second message of a unary call
// was decoded into the same place but never announced: grpc refuses it.
func (l *last) end(r *received) {
	l.Lock()
	defer l.Unlock()
	if l.arena.Free(); l.message != nil {
		r.take(l.message).Free()
	}
	l.message, l.arena, l.ended = nil, nil, true
}
