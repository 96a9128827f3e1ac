package report

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// harmless makes one line of any text, so that it can neither move a
// terminal's cursor nor reorder what stands around it: a control character
// becomes its picture (U+2400…), a formatting character or an invalid byte the
// replacement character.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ':
			return '␀' + r
		case r == 0x7f:
			return '␡'
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// lastLines returns the last n lines of a run's output, each harmless.
func lastLines(output string, n int) []string {
	output = strings.TrimRight(strings.ReplaceAll(output, "\r\n", "\n"), "\n")
	if output == "" {
		return nil
	}
	lines := strings.Split(output, "\n")
	lines = lines[max(0, len(lines)-n):]
	for i, l := range lines {
		lines[i] = harmless(strings.ReplaceAll(l, "\t", "    "))
	}
	return lines
}

// short cuts text to n characters.
func short(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}

// fit cuts text to a number of terminal columns and fills it up to them.
func fit(s string, columns int) string {
	return runewidth.FillRight(runewidth.Truncate(s, columns, "…"), columns)
}

// fitRight is fit with the text at the right edge.
func fitRight(s string, columns int) string {
	return runewidth.FillLeft(runewidth.Truncate(s, columns, "…"), columns)
}

// together keeps a number and its percent sign on one line.
func together(s string) string { return strings.ReplaceAll(s, " %", "\u00a0%") }

// apart undoes together, for text that is searched and compared.
func apart(s string) string { return strings.ReplaceAll(s, "\u00a0%", " %") }

// wrap breaks a text between words so that no line is wider than columns.
func wrap(s string, columns int) []string {
	var lines []string
	line, width := "", 0
	for _, word := range strings.Split(together(s), " ") {
		word = runewidth.Truncate(word, columns, "…")
		w := runewidth.StringWidth(word)
		switch {
		case line == "":
			line, width = word, w
		case width+1+w <= columns:
			line, width = line+" "+word, width+1+w
		default:
			lines = append(lines, line)
			line, width = word, w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	for i, l := range lines {
		lines[i] = apart(l)
	}
	return lines
}
