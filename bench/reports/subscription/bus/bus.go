// Package bus delivers messages to the subscribers of a connection.
package bus

import "sync"

// Conn is a connection to the bus.
type Conn struct {
	mu   sync.Mutex
	subs map[int]*Subscription
	next int
}

// Subscription delivers messages to one callback, in order.
type Subscription struct {
	conn    *Conn
	id      int
	subject string

	mu     sync.Mutex
	more   *sync.Cond
	queue  [][]byte
	closed bool
}

// Connect returns a connection.
func Connect() *Conn { return &Conn{subs: map[int]*Subscription{}} }

// Subscribe calls back for each message of a subject, until Unsubscribe.
func (c *Conn) Subscribe(subject string, callback func([]byte)) *Subscription {
	s := &Subscription{conn: c, subject: subject}
	s.more = sync.NewCond(&s.mu)
	c.mu.Lock()
	s.id = c.next
	c.next++
	c.subs[s.id] = s
	c.mu.Unlock()
	go s.deliver(callback)
	return s
}

// Publish sends a message to the subscribers of a subject.
func (c *Conn) Publish(subject string, msg []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.subs {
		if s.subject == subject {
			s.mu.Lock()
			s.queue = append(s.queue, msg)
			s.mu.Unlock()
			s.more.Signal()
		}
	}
}

// Unsubscribe ends the deliveries.
func (s *Subscription) Unsubscribe() {
	s.conn.mu.Lock()
	delete(s.conn.subs, s.id)
	s.conn.mu.Unlock()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.more.Broadcast()
}

func (s *Subscription) deliver(callback func([]byte)) {
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && !s.closed {
			s.more.Wait()
		}
		if s.closed {
			s.mu.Unlock()
			return
		}
		msg := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		callback(msg)
	}
}
