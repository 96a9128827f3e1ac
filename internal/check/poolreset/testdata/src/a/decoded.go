package a

import (
	"encoding/json"
	"io"
	"sync"
)

type listing struct {
	Names []string
	Total int
}

// Each field is reset before the decoder sees it.
var listings = sync.Pool{New: func() any { return new(listing) }}

func listed(r io.Reader) (int, error) {
	l := listings.Get().(*listing)
	defer listings.Put(l)
	clear(l.Names[:cap(l.Names)])
	l.Names, l.Total = l.Names[:0], 0
	err := json.NewDecoder(r).Decode(l)
	return len(l.Names), err
}

// One field keeps the value of the last decoder.
var partial = sync.Pool{New: func() any { return new(listing) }}

func counted(r io.Reader) (int, error) {
	l := partial.Get().(*listing)
	defer partial.Put(l) // want `l goes back to the pool with its contents`
	l.Names = l.Names[:0]
	err := json.NewDecoder(r).Decode(l)
	return l.Total, err
}
