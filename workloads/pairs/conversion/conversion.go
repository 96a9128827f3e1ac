// Package conversion is a pair for the rule on conversions between strings and
// bytes: the lines of an access log are counted by path. Before, each path
// becomes a string to look it up; after, only one that is new does.
package conversion

import "bytes"

// hits are the requests for one path.
type hits struct {
	requests, bytes int
}

func before(log []byte) map[string]*hits {
	all := map[string]*hits{}
	for line := range bytes.Lines(log) {
		field, size := parse(line)
		path := string(field) // want: string-conversion
		h := all[path]
		if h == nil {
			h = new(hits)
			all[path] = h
		}
		h.requests++
		h.bytes += size
	}
	return all
}

func after(log []byte) map[string]*hits {
	all := map[string]*hits{}
	for line := range bytes.Lines(log) {
		path, size := parse(line)
		h := all[string(path)] // the compiler makes no string for a look-up
		if h == nil {
			h = new(hits)
			all[string(path)] = h
		}
		h.requests++
		h.bytes += size
	}
	return all
}

// parse returns the path and the size in METHOD PATH SIZE.
func parse(line []byte) (path []byte, size int) {
	_, rest, _ := bytes.Cut(line, []byte(" "))
	path, digits, _ := bytes.Cut(rest, []byte(" "))
	for _, d := range digits {
		if d >= '0' && d <= '9' {
			size = 10*size + int(d-'0')
		}
	}
	return path, size
}
