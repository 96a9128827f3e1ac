package termtext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes a value as indented JSON. People read it too, on terminals and in logs: <, >
// and & stay as they are, while characters that could command a terminal or reorder a line
// become \u escapes.
func JSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// escaped replaces the characters that encoding/json leaves as they are. JSON has none of
// them outside of strings.
func escaped(data []byte) []byte {
	if bytes.IndexFunc(data, harmful) < 0 {
		return data
	}
	out := make([]byte, 0, len(data))
	for _, r := range string(data) {
		if !harmful(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

// harmful reports whether encoding/json leaves a character as it is that could command a
// terminal or reorder a line.
func harmful(r rune) bool { return r >= 0x7f && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
