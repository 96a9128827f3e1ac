package web

import (
	"net"
	"sync"
)

// mostConnections bounds the connections, each of which takes some memory before it is known
// who it is from. More wait in the queue of the system.
const mostConnections = 2000

// boundListener is a listener that accepts no more connections than it has slots.
type boundListener struct {
	net.Listener
	slots  chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newBoundListener(l net.Listener, most int) *boundListener {
	return &boundListener{Listener: l, slots: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept implements net.Listener.
func (b *boundListener) Accept() (net.Conn, error) {
	select {
	case b.slots <- struct{}{}:
	case <-b.closed:
		return nil, net.ErrClosed
	}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.slots
		return nil, err
	}
	return &slotConn{Conn: c, end: sync.OnceFunc(func() { <-b.slots })}, nil
}

// Close implements net.Listener.
func (b *boundListener) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

type slotConn struct {
	net.Conn
	end func()
}

// Close implements net.Conn.
func (c *slotConn) Close() error {
	defer c.end()
	return c.Conn.Close()
}
