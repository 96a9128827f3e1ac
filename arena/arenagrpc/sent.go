package arenagrpc

import (
	"net/http"
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
		c.leave()
	}
}

// leave leaves the arenas of the call to the collector.
func (c *call) leave() {
	c.Lock()
	defer c.Unlock()
	c.left = true
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

// servedByHTTP reports whether the call came through grpc.Server.ServeHTTP. Its transport
// sends the header of a call without OutHeader if the handler has not sent it (writeStatus
// and write in internal/transport/handler_server.go of gRPC).
func (c *call) servedByHTTP() bool { return c.Context.Value(http.ServerContextKey) != nil }

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
