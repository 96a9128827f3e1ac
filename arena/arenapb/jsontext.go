package arenapb

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// quoted returns the text of the string whose content begins at p, and the place behind its
// closing quote. The input holds the text literally, or it is in the buffer.
func (d *jsonDecoder) quoted(t *jsonTable, p unsafe.Pointer) (s []byte, literal bool, end unsafe.Pointer) {
	stop, ascii := jsontext.Run(p)
	if jsontext.Char(stop) == '"' {
		s = unsafe.Slice((*byte)(p), uintptr(stop)-uintptr(p))
		if !ascii && !utf8.Valid(s) {
			return nil, false, d.fail(t.table, p, errUTF8)
		}
		return s, true, unsafe.Add(stop, 1)
	}
	if end = jsontext.CheckString(stop); end == nil {
		return nil, false, d.fail(t.table, p, errString)
	}
	content := unsafe.Slice((*byte)(p), uintptr(end)-uintptr(p)-1)
	var exact bool
	if d.buffer, exact = jsontext.Unquote(d.buffer[:0], content); !exact {
		return nil, false, d.fail(t.table, p, errUTF8)
	}
	return d.buffer, false, end
}

// stringAt decodes the string at p.
func (d *jsonDecoder) stringAt(t *jsonTable, p unsafe.Pointer) (string, unsafe.Pointer) {
	if jsontext.Char(p) != '"' {
		return "", d.unexpected(t.table, p, errString)
	}
	p = unsafe.Add(p, 1)
	s, literal, end := d.quoted(t, p)
	switch {
	case end == nil:
		return "", nil
	case literal:
		return d.str(p, len(s)), end
	}
	s = d.keepText(p, s)
	return unsafe.String(unsafe.SliceData(s), len(s)), end
}

// bytesAt decodes the value of a bytes field at p.
func (d *jsonDecoder) bytesAt(t *jsonTable, f *jsonField, p unsafe.Pointer) ([]byte, unsafe.Pointer) {
	if jsontext.Char(p) != '"' {
		return nil, d.unexpected(t.table, p, errString)
	}
	start := unsafe.Add(p, 1)
	s, literal, end := d.quoted(t, start)
	if end == nil {
		return nil, nil
	}
	n := len(s) // the buffer has the text of this length, and then its value
	if literal {
		n = 0
	}
	var err error
	size := len(s) // enough for either encoding
	d.buffer = slices.Grow(d.buffer[:n], size)
	value := d.buffer[n : n+size]
	if f.hex && d.otlp {
		size, err = hex.Decode(value, s)
	} else {
		size, err = base64Of(s).Decode(value, s)
	}
	if err != nil {
		if f.hex && d.otlp {
			return nil, d.fail(t.table, p, errHex)
		}
		return nil, d.fail(t.table, p, errBase64)
	}
	return d.keepText(start, value[:size]), end
}

// base64Of returns the alphabet and padding of a text, as protojson chooses them.
func base64Of(s []byte) *base64.Encoding {
	switch url, padded := bytes.ContainsAny(s, "-_"), len(s)%4 == 0; {
	case url && padded:
		return base64.URLEncoding
	case url:
		return base64.RawURLEncoding
	case padded:
		return base64.StdEncoding
	}
	return base64.RawStdEncoding
}

// keepText copies a value out of the buffer: over the string at p that it was decoded
// from, where this lies in the text. No value is longer than its string.
func (d *jsonDecoder) keepText(p unsafe.Pointer, value []byte) []byte {
	n := len(value)
	if n == 0 {
		return []byte{}
	}
	if d.text != d.base {
		p = d.Bytes(n, 0)
	}
	kept := unsafe.Slice((*byte)(p), n)
	copy(kept, value)
	return kept
}
