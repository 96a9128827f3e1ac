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

// quoted returns the text of the string whose content begins at p, and the address behind
// its closing quote. If the text is literal, it is the input itself. Otherwise the string
// had escapes, and its text is in the buffer until the next call.
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
	// The value goes into the buffer, behind the text if that is there too. It is shorter
	// than the text in either encoding.
	n := len(s)
	if literal {
		n = 0
	}
	d.buffer = slices.Grow(d.buffer[:n], len(s))
	value := d.buffer[n : n+len(s)]
	size, err := d.decodeBytes(f, value, s)
	if err != nil {
		return nil, d.fail(t.table, p, err)
	}
	return d.keepText(start, value[:size]), end
}

// decodeBytes decodes the text of a bytes field into value, and returns its size.
func (d *jsonDecoder) decodeBytes(f *jsonField, value, text []byte) (int, error) {
	if f.hex && d.otlp {
		size, err := hex.Decode(value, text)
		if err != nil {
			return 0, errHex
		}
		return size, nil
	}
	size, err := base64Of(text).Decode(value, text)
	if err != nil {
		return 0, errBase64
	}
	return size, nil
}

// base64Of returns the encoding that protojson chooses for a text: it accepts both
// alphabets, with and without padding.
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

// keepText copies a value out of the buffer. If the text is the copy of the input, it
// overwrites the string at p from which the value was decoded: no value is longer than its
// string.
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
