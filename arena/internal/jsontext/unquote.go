package jsontext

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Unquote appends the text of a string with valid content. Bytes that are not UTF-8,
// and escapes of half a surrogate pair, become U+FFFD; then exact is false.
func Unquote(to, s []byte) (text []byte, exact bool) {
	exact = true
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			start := i
			for i++; i < len(s) && plain[s[i]]; i++ {
			}
			to = append(to, s[start:i]...)
			continue
		}
		switch {
		case c == '\\' && s[i+1] == 'u':
			r, _ := Hex4(unsafe.Pointer(&s[i+2]))
			i += 6
			if utf16.IsSurrogate(r) {
				pair := rune(unicode.ReplacementChar)
				if len(s)-i >= 6 && s[i] == '\\' && s[i+1] == 'u' {
					low, _ := Hex4(unsafe.Pointer(&s[i+2]))
					pair = utf16.DecodeRune(r, low)
				}
				if r = pair; r != unicode.ReplacementChar {
					i += 6
				} else {
					exact = false
				}
			}
			to = utf8.AppendRune(to, r)
		case c == '\\':
			to = append(to, escaped[s[i+1]])
			i += 2
		default:
			r, n := utf8.DecodeRune(s[i:])
			exact = exact && n > 1
			to = utf8.AppendRune(to, r)
			i += n
		}
	}
	return to, exact
}

// plain are the characters that stand for themselves.
var plain = func() (is [256]bool) {
	for c := range utf8.RuneSelf {
		is[c] = c != '\\'
	}
	return is
}()

// escaped are the characters that stand for others after a backslash.
var escaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// Hex4 returns the number that the four hexadecimal digits at p stand for.
func Hex4(p unsafe.Pointer) (rune, bool) {
	var r rune
	for i := range 4 {
		c := Char(unsafe.Add(p, i))
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
