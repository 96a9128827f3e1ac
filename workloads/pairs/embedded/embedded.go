// Package embedded is a pair for small structs that are behind a pointer for no
// reason: the snapshots of a market become books that questions are asked of
// until newer ones have replaced them. Before, the two sides of a quote are
// objects of their own; after, they are part of the quote.
package embedded

// row is a quote as the feed sends it.
type row struct {
	symbol           string
	bid, ask         int64
	bidSize, askSize int32
	venue            uint16
}

// level is one side of a quote.
type level struct {
	price int64
	size  int32
	venue uint16
}

// book answers questions about one snapshot.
type book interface {
	// spread is how far the two sides of a quote are apart.
	spread(i int) int64
	// widest is the symbol of the quote whose sides are farthest apart.
	widest() string
}

// pointers is a quote with its sides behind pointers.
type pointers struct {
	symbol   string
	bid, ask *level
}

type pointerBook []pointers

func before(snapshot []row) book {
	quotes := newPointers(len(snapshot))
	for i := range snapshot {
		r := &snapshot[i]
		quotes[i] = pointers{
			symbol: r.symbol,
			bid:    &level{price: r.bid, size: r.bidSize, venue: r.venue},
			ask:    &level{price: r.ask, size: r.askSize, venue: r.venue},
		}
		if quotes[i].bid.price > quotes[i].ask.price { // The feed mixes up sides at times.
			quotes[i].bid, quotes[i].ask = quotes[i].ask, quotes[i].bid
		}
	}
	return quotes
}

func newPointers(n int) pointerBook { return make(pointerBook, n) }

func (b pointerBook) spread(i int) int64 { return b[i].ask.price - b[i].bid.price }

func (b pointerBook) widest() string {
	return widest(b, len(b), func(i int) string { return b[i].symbol })
}

// quote has its sides in itself.
type quote struct {
	symbol   string
	bid, ask level
}

type quoteBook []quote

func after(snapshot []row) book {
	quotes := newQuotes(len(snapshot))
	for i := range snapshot {
		r := &snapshot[i]
		quotes[i] = quote{
			symbol: r.symbol,
			bid:    level{price: r.bid, size: r.bidSize, venue: r.venue},
			ask:    level{price: r.ask, size: r.askSize, venue: r.venue},
		}
		if quotes[i].bid.price > quotes[i].ask.price { // The feed mixes up sides at times.
			quotes[i].bid, quotes[i].ask = quotes[i].ask, quotes[i].bid
		}
	}
	return quotes
}

func newQuotes(n int) quoteBook { return make(quoteBook, n) }

func (b quoteBook) spread(i int) int64 { return b[i].ask.price - b[i].bid.price }

func (b quoteBook) widest() string {
	return widest(b, len(b), func(i int) string { return b[i].symbol })
}

func widest(b book, n int, symbol func(int) string) string {
	most, at := int64(-1), 0
	for i := range n {
		if s := b.spread(i); s > most {
			most, at = s, i
		}
	}
	return symbol(at)
}
