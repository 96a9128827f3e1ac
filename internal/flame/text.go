package flame

import (
	"strings"
	"unicode"
)

// harmless makes text of the profiled program safe to show: what could move a
// cursor, break a line or turn the reading direction becomes a visible sign.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ':
			return '␀' + r
		case r == 0x7f:
			return '␡'
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co), r == '\ufffe', r == '\uffff':
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// clipped shortens text to n runes, the last of them an ellipsis.
func clipped(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:max(0, n-1)]) + "…"
}
