// Package parameter makes texts for functions that only read them.
package parameter

import _ "unsafe" // for go:linkname

type table map[string]int

func isError(status string) bool { return len(status) > 40 && status[40] == '5' || status == "none" }

func add(line []byte, n int) bool {
	status := string(line[:n]) // want `copies the text for isError, which only reads it: let it take bytes`
	if isError(status) {
		return true
	}
	return isError(string(line)) // want `copies the text for isError`
}

func (t table) lookup(path string) int {
	if n, ok := t[path]; ok {
		return n
	}
	return 0
}

func (t table) size(dir, name string) int {
	path := dir + "/" + (name + "@") // want `the text is joined for lookup, which only reads it: let it take bytes from the stack`
	return t.lookup(path)
}

// Exported is for others.
func Exported(s string) int { return len(s) }

func exported(b []byte) int { return Exported(string(b)) }

// Not all callers have bytes.
func mixed(s string) int { return len(s) }

func mixes(s string, b []byte) int { return mixed(s) + mixed(string(b)) }

// It is a value, too.
func value(s string) int { return len(s) }

var asValue func(string) int = value

func values(b []byte) int { return value(string(b)) }

// The text is kept, changed, stored as a key, or handed on.
var kept string

func keeps(s string) { kept = s }

func part(s string) int {
	s = s[1:]
	return len(s)
}

func stores(m map[string]int, s string) { m[s] = 1 }

func hands(s string) int { return Exported(s) }

func runes(s string) (n int) {
	for range s {
		n++
	}
	return n
}

func all(b []byte, m map[string]int) {
	keeps(string(b))
	part(string(b))
	stores(m, string(b))
	hands(string(b))
	runes(string(b))
}

// It changes the bytes while it reads them.
func overwrites(b []byte, s string) byte {
	b[0] = 'x'
	return s[0]
}

func overwritten(b []byte) byte { return overwrites(b, string(b)) }

// Another call in the statement may change the bytes.
func first(n int, s string) int { return n + int(s[0]) }

func change(b []byte) int {
	b[0]++
	return 1
}

func changed(b []byte) int { return change(b) + first(change(b), string(b)) }

// So may the statement of a branch, and a condition before.
func third(s string) bool { return s[2] == 'x' }

func branches(b []byte) bool {
	s := string(b)
	if change(b); third(s) {
		return true
	}
	return false
}

func fourth(s string) bool { return s[3] == 'x' }

func chained(b []byte) int {
	s := string(b)
	if change(b) == 2 {
		return 2
	} else if fourth(s) {
		return 4
	}
	return 0
}

// A statement stands between.
func last(s string) byte { return s[len(s)-1] }

func between(b []byte) byte {
	s := string(b)
	b[0] = 'x'
	return last(s)
}

// An interface has a method of the name.
type sizer interface{ measure(s string) int }

type meter struct{}

func (meter) measure(s string) int { return len(s) }

func measures(b []byte, s sizer) int { return meter{}.measure(string(b)) + s.measure("") }

// The variable would hide a part of itself, or the text is used twice.
func count(s string) int { return len(s) }

func hidden(path string) int {
	{
		path := path + "/"
		return count(path)
	}
}

func sum(s string) int { return len(s) }

func twice(b []byte) int {
	s := string(b)
	return sum(s) + len(s)
}

// A file of another build mentions it.
func tested(s string) int { return len(s) }

func tests(b []byte) int { return tested(string(b)) }

//go:linkname linked parameter.linked
func linked(s string) int { return len(s) }

func links(b []byte) int { return linked(string(b)) }

func parametric[T any](s string) int { return len(s) }

func calls(b []byte) int { return parametric[int](string(b)) }

func later(s string) int { return len(s) }

func goes(b []byte) {
	go later(string(b))
}
