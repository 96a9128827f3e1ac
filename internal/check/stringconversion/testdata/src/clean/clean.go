package clean

import (
	"bytes"
	"os"
	"strings"
)

// The compiler elides these.
func elided(m map[string]int, b []byte, s string) (n int) {
	n += m[string(b)]
	if string(b) == s {
		n++
	}
	switch string(b) {
	case "x":
		n++
	}
	for range []byte(s) {
		n++
	}
	b = append(b, s...)
	if bytes.Contains(b, []byte(s)) {
		n++
	}
	return n + len("a"+string(b))
}

// Results that are parts of the text.
func parts(b []byte) []string { return strings.Fields(string(b)) }

func trimmed(b []byte) string { return strings.TrimSpace(string(b)) }

// Callbacks could change b.
func callback(b []byte, f func(rune) bool) bool { return strings.ContainsFunc(string(b), f) }

// The writer is known, and so is that it does not keep the bytes.
func known(buf *bytes.Buffer, f *os.File, s string) {
	buf.Write([]byte(s))
	f.Write([]byte(s))
}

func constants(w *bytes.Reader) *bytes.Reader { return bytes.NewReader([]byte("constant")) }

func kept(s string) *bytes.Reader { return bytes.NewReader([]byte(s)) }

func runes(r []rune) bool { return strings.Contains(string(r), "x") }

func plain(s string) bool { return strings.Contains(s, "x") }

// bytes.Contains would copy s instead.
func other(b []byte, s string) bool { return strings.Contains(string(b), s) }

// EqualFold has other equals: the dotless i, the long s, the Kelvin sign.
func folds(a, b string) bool {
	return strings.ToLower(a) == strings.ToLower(b) || strings.ToLower(a) == "gzip" || strings.ToUpper(a) == "OK" ||
		strings.ToLower(a) == "GZP" || strings.ToLower(a) == "ü" || strings.ToLower(a) == ""
}
