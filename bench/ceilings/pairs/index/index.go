// Package index is a pair for the rule on large heaps full of pointers: a
// table of prices by article with its chains of collisions. Before, entries
// are objects that point to the next, and every collection follows them all;
// after, they are in one slice and hold the index of the next, so that there is
// nothing to follow.
package index

// buckets is a power of two, and how many articles are expected.
const buckets = 1 << 17

func bucket(article uint64) uint64 { return article * 0x9e3779b97f4a7c15 >> (64 - 17) }

type table interface {
	set(article uint64, cents int64)
	get(article uint64) (cents int64, ok bool)
}

type before struct {
	heads [buckets]*entry
}

func newBefore() table { return new(before) }

type entry struct {
	article uint64
	cents   int64
	next    *entry
}

func (t *before) set(article uint64, cents int64) {
	head := &t.heads[bucket(article)]
	for e := *head; e != nil; e = e.next {
		if e.article == article {
			e.cents = cents
			return
		}
	}
	*head = &entry{article, cents, *head} // want: pointer-heap
}

func (t *before) get(article uint64) (int64, bool) {
	for e := t.heads[bucket(article)]; e != nil; e = e.next {
		if e.article == article {
			return e.cents, true
		}
	}
	return 0, false
}

type after struct {
	heads   [buckets]int32 // index into entries plus one; 0 is none
	entries []flat
}

func newAfter() table { return &after{entries: make([]flat, 0, buckets)} }

type flat struct {
	article uint64
	cents   int64
	next    int32
}

func (t *after) set(article uint64, cents int64) {
	head := &t.heads[bucket(article)]
	for i := *head; i != 0; i = t.entries[i-1].next {
		if e := &t.entries[i-1]; e.article == article {
			e.cents = cents
			return
		}
	}
	t.entries = append(t.entries, flat{article, cents, *head})
	*head = int32(len(t.entries))
}

func (t *after) get(article uint64) (int64, bool) {
	for i := t.heads[bucket(article)]; i != 0; i = t.entries[i-1].next {
		if e := &t.entries[i-1]; e.article == article {
			return e.cents, true
		}
	}
	return 0, false
}

// price is a line of an answer.
type price struct {
	article  uint64
	cents    int64
	currency string
	known    bool
}

// quote answers a question for prices: garbage, as an answer is.
func quote(t table, articles []uint64) []price {
	prices := make([]price, 0, len(articles))
	for _, a := range articles {
		cents, ok := t.get(a)
		prices = append(prices, price{a, cents, "EUR", ok})
	}
	return prices
}
