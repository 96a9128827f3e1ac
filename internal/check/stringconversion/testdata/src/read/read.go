package read

import (
	"bytes"
	"strings"
)

// Bytes of one string are in three variables.
func find(raw, key string) (string, bool) {
	rest := []byte(raw) // want `keep the string`
	for len(rest) > 0 {
		name := rest
		if i := bytes.IndexAny(name, "&;"); i >= 0 {
			name, rest = name[:i], name[i+1:]
		} else {
			rest = rest[:0]
		}
		var value []byte
		if i := bytes.IndexByte(name, '='); i >= 0 {
			name, value = name[:i], name[i+1:]
		}
		if len(name) > 0 && name[0] == '_' || string(name) != key {
			continue
		}
		return string(value), true
	}
	return "", false
}

func joined(a, b string, dst []byte) (string, []byte) {
	both := []byte(a + b) // want `keep the string`
	if i := bytes.Index(both, []byte("--")); i > 0 {
		both = both[:i]
	}
	dst = append(dst, both...)
	n := copy(dst, both)
	return string(both[:n]), dst
}

func upper(s string) string {
	b := []byte(s)
	b[0] = 'A'
	return string(b)
}

func handed(s string) string {
	b := []byte(s)
	fill(b)
	return string(b)
}

func fill(b []byte) { clear(b) }

func filled(s string, from []byte) string {
	b := []byte(s)
	copy(b, from)
	return string(b)
}

func longer(s string) string {
	b := []byte(s)
	b = append(b, '!')
	return string(b)
}

func other(s string, more []byte) string {
	b := []byte(s)
	b = more
	return string(b)
}

func kept(s string) (string, []byte) {
	b := []byte(s)
	return string(b), b
}

func compared(s string) string {
	b := []byte(s)
	if b == nil {
		return "none"
	}
	return string(b)
}

// Ranging over a string decodes runes.
func sum(s string) (n int, text string) {
	b := []byte(s)
	for _, c := range b {
		n += int(c)
	}
	return n, string(b)
}

func closure(s string) func() string {
	b := []byte(s)
	return func() string { return string(b) }
}

func pointer(s string) (*byte, string) {
	b := []byte(s)
	return &b[0], string(b)
}

// The copy may be on the stack.
func index(s string) int {
	b := []byte(s)
	return bytes.IndexByte(b, '=')
}

// Package strings has no such function.
func split(s string) (string, [][]byte) {
	b := []byte(s)
	return string(b), bytes.Fields(b)
}

func parameter(s string, b []byte) string {
	a := []byte(s)
	b = a
	return string(b)
}

func trimmed(s string) string { return strings.TrimSpace(s) }
