package arenajson

import (
	"encoding/base64"
	"unicode/utf8"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// string decodes a string.
func (d *decoder) string(at, p unsafe.Pointer) unsafe.Pointer {
	if jsontext.Char(p) != '"' {
		return nil
	}
	s, end := d.str(unsafe.Add(p, 1))
	*(*string)(at) = s
	return end
}

// str returns the string whose content begins at p, and the place behind its quote.
func (d *decoder) str(p unsafe.Pointer) (string, unsafe.Pointer) {
	end, ascii := jsontext.Run(p)
	if jsontext.Char(end) != '"' {
		end = unsafe.Add(jsontext.SkipString(end), -1)
		return d.unescaped(p, end), unsafe.Add(end, 1)
	}
	s := d.literal(p, end)
	if !ascii && !utf8.ValidString(s) {
		s = d.unescaped(p, end)
	}
	return s, unsafe.Add(end, 1)
}

// unescaped returns the text of the string whose content is between two addresses. It
// overwrites the copy of the input if the text fits: escapes are longer than their
// text, but bytes that are not UTF-8 are shorter.
func (d *decoder) unescaped(p, end unsafe.Pointer) string {
	s := unsafe.Slice((*byte)(p), uintptr(end)-uintptr(p))
	to := s[:0]
	if d.text != d.base || !utf8.Valid(s) {
		to = d.octets(len(s))[:0]
	}
	to, _ = jsontext.Unquote(to, s)
	return unsafe.String(unsafe.SliceData(to), len(to))
}

// raw decodes a json.RawMessage.
func (d *decoder) raw(at, p unsafe.Pointer) unsafe.Pointer {
	end := d.skip(p)
	s := d.literal(p, end)
	*(*[]byte)(at) = unsafe.Slice(unsafe.StringData(s), len(s))
	return end
}

// base64 decodes a slice of bytes from a string.
func (d *decoder) base64(at, p unsafe.Pointer) unsafe.Pointer {
	s, end := d.str(unsafe.Add(p, 1))
	b := d.octets(base64.StdEncoding.DecodedLen(len(s)))
	n, err := base64.StdEncoding.Decode(b, unsafe.Slice(unsafe.StringData(s), len(s)))
	if err != nil {
		return nil
	}
	*(*[]byte)(at) = b[:n:n]
	return end
}
