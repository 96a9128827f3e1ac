// Package linkedlist is a pair for lists whose nodes are objects: a limiter
// admits so many requests of a client in a sliding window of time. Before, the
// requests in the window are a list of nodes; after, a ring.
package linkedlist

// request is one of a client, at a time in milliseconds.
type request struct {
	client string
	at     int64
	cost   int64
}

// limits are the window in milliseconds, the requests that may be in it, and
// their cost together.
type limits struct {
	window   int64
	requests int
	cost     int64
}

// node is an admitted request in a list.
type node struct {
	at, cost int64
	next     *node
}

// queue is the list of a client's requests in the window, oldest first.
type queue struct {
	first, last *node
	n           int
	cost        int64
}

// before returns a limiter. A client is there from its first request on.
func before(l limits) func(request) bool {
	queues := map[string]*queue{}
	return func(r request) bool {
		q := queues[r.client]
		if q == nil {
			q = newQueue()
			queues[r.client] = q
		}
		for q.first != nil && q.first.at <= r.at-l.window {
			q.cost -= q.first.cost
			q.n--
			q.first = q.first.next
		}
		if q.n == l.requests || q.cost+r.cost > l.cost {
			return false
		}
		n := &node{at: r.at, cost: r.cost}
		if q.first == nil {
			q.first = n
		} else {
			q.last.next = n
		}
		q.last = n
		q.n++
		q.cost += r.cost
		return true
	}
}

// entry is an accepted request in a ring.
type entry struct {
	at, cost int64
}

// ring has the requests of a client in the window, the oldest at first.
type ring struct {
	slots    []entry
	first, n int
	cost     int64
}

func newQueue() *queue { return new(queue) }

func after(l limits) func(request) bool {
	rings := map[string]*ring{}
	return func(r request) bool {
		q := rings[r.client]
		if q == nil {
			q = new(ring)
			rings[r.client] = q
		}
		for q.n > 0 && q.slots[q.first].at <= r.at-l.window {
			q.cost -= q.slots[q.first].cost
			q.n--
			if q.first++; q.first == len(q.slots) {
				q.first = 0
			}
		}
		if q.n == l.requests || q.cost+r.cost > l.cost {
			return false
		}
		if q.n == len(q.slots) {
			q.grow(l.requests)
		}
		at := q.first + q.n
		if at >= len(q.slots) {
			at -= len(q.slots)
		}
		q.slots[at] = entry{at: r.at, cost: r.cost}
		q.n++
		q.cost += r.cost
		return true
	}
}

// grow makes room, but for no more than most: many clients send few requests.
func (q *ring) grow(most int) {
	slots := make([]entry, min(max(4, 2*q.n), most))
	copied := copy(slots, q.slots[q.first:])
	copy(slots[copied:], q.slots[:q.first])
	q.slots, q.first = slots, 0
}
