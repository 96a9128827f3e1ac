package arenagrpc

import (
	"unsafe"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/heapwright/heapwright/arena"
)

// sends notes a text that is sent as status. The transport encodes it when the call has
// ended, and its table of header fields then keeps it, as a key of a map, for as long as
// the connection lives. So if the text lies in an arena, the arenas of the call are left
// to the collector.
func (c *call) sends(text string) {
	if c.hasText() && inArena(text) {
		c.Lock()
		c.left = true
		c.Unlock()
	}
}

// sendsMetadata does the same for the names and values of a header or trailer.
func (c *call) sendsMetadata(md metadata.MD) {
	for name, values := range md {
		c.sends(name)
		for _, v := range values {
			c.sends(v)
		}
	}
}

// hasText reports whether strings may lie in the arenas of the call.
func (c *call) hasText() bool {
	c.Lock()
	defer c.Unlock()
	return c.own != nil || c.last != nil && c.textInArena
}

func inArena(text string) bool {
	return text != "" && unsafe.StringData(arena.Clone(text)) != unsafe.StringData(text)
}

// A carrier is the transport's stream of a call (internal/transport of gRPC).
type carrier interface {
	Header() (metadata.MD, error)
	Trailer() metadata.MD
}

// endUnseen ends a call whose metadata no stats handler has seen.
func (c *call) endUnseen() {
	if c.hasText() {
		if s, ok := grpc.ServerTransportStreamFromContext(c.Context).(carrier); ok {
			header, _ := s.Header()
			c.sendsMetadata(header)
			c.sendsMetadata(s.Trailer())
		}
	}
	c.end()
}
