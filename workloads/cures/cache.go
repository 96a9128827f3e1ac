package cures

import "github.com/heapwright/heapwright/workloads/program/cure"

// cache looks entries up beside which a large live heap of pointers stands. The
// faulty one makes a cursor for every look-up, which makes the collector mark all
// of the heap again and again; the cured one keeps a cursor.
type cache struct {
	entries []*entry
	cursor  cursor
	sum     uint64
}

type entry struct {
	next *entry
	key  uint64
	text [4]*uint64
}

type cursor struct {
	at   *entry
	seen [12]uint64
}

func newCache() *cache {
	c := &cache{}
	for i := range 200_000 {
		e := &entry{key: uint64(i)}
		for j := range e.text {
			v := uint64(i * j)
			e.text[j] = &v
		}
		if i > 0 {
			e.next = c.entries[(i*7919)%i]
		}
		c.entries = append(c.entries, e)
	}
	return c
}

func (c *cache) lookup(key uint64) {
	cur := &c.cursor
	if cure.Cured {
		*cur = cursor{}
	} else {
		cur = faultyCursor()
	}
	cur.at = c.entries[key%uint64(len(c.entries))]
	for i := range cur.seen {
		if cur.at == nil {
			break
		}
		cur.seen[i] = cur.at.key
		cur.at = cur.at.next
	}
	for _, k := range cur.seen {
		c.sum = c.sum*31 + k
	}
}

//go:noinline
func faultyCursor() *cursor { return new(cursor) }
