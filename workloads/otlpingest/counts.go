package main

import (
	"maps"
	"strings"
	"sync"
)

// A tally counts the records of a request or of a service.
type tally struct {
	Accepted   int64 `json:"accepted"`
	Filtered   int64 `json:"filtered"` // valid, and not wanted
	Rejected   int64 `json:"rejected"` // invalid
	Attributes int64 `json:"attributes"`
}

func (t *tally) add(other tally) {
	t.Accepted += other.Accepted
	t.Filtered += other.Filtered
	t.Rejected += other.Rejected
	t.Attributes += other.Attributes
}

// A verdict is on one record.
type verdict int

const (
	accept verdict = iota
	filter
	reject
)

// note counts a record with its attributes.
func (t *tally) note(v verdict, attributes int) {
	switch v {
	case accept:
		t.Accepted++
		t.Attributes += int64(attributes)
	case filter:
		t.Filtered++
	default:
		t.Rejected++
	}
}

// counts are tallies by signal and service.
type counts struct {
	mu   sync.Mutex
	seen map[key]tally
}

type key struct{ signal, service string }

// maxServices bounds the tallies. Further services share one.
const maxServices = 1000

func newCounts() *counts { return &counts{seen: map[key]tally{}} }

// add counts the records of a resource. The name of the service may be part of
// a request, and is copied when it is new.
func (c *counts) add(signal, service string, t tally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := key{signal, service}
	sum, known := c.seen[k]
	switch {
	case !known && len(c.seen) >= maxServices:
		k.service = "(other)"
		sum = c.seen[k]
	case !known:
		k.service = strings.Clone(service)
	}
	sum.add(t)
	c.seen[k] = sum
}

// snapshot returns the tallies by signal and service.
func (c *counts) snapshot() map[string]map[string]tally {
	c.mu.Lock()
	seen := maps.Clone(c.seen)
	c.mu.Unlock()
	all := map[string]map[string]tally{}
	for k, t := range seen {
		if all[k.signal] == nil {
			all[k.signal] = map[string]tally{}
		}
		all[k.signal][k.service] = t
	}
	return all
}
