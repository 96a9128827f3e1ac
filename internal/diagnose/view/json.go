package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/heapwright/heapwright/internal/diagnose"
)

// JSON writes the document itself: the contract for programs.
func JSON(w io.Writer, d *diagnose.Document) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the file is read by people, too
	enc.SetIndent("", " ")
	if err := enc.Encode(d); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// escaped writes characters that could command a terminal or reorder a line, and that
// encoding/json leaves as they are, as \u escapes: outside of strings JSON has none.
func escaped(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for _, r := range string(data) {
		if r < 0x7f || !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}
