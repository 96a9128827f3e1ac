package edit

import (
	"fmt"
	"strings"
	"unicode"
)

// QuoteName returns a file name as git writes it in a diff: in quotes and with escapes, if
// it has characters that a terminal or a reader of diffs does not take as text.
func QuoteName(name string) string {
	odd := func(r rune) bool {
		return r == '"' || r == '\\' || r == unicode.ReplacementChar || r != ' ' && !unicode.IsGraphic(r)
	}
	if !strings.ContainsFunc(name, odd) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
