// Package termtext makes text fit for a terminal or a page: harmless, and of a known
// width.
//
// The stance: names in profiles come from anywhere. Nothing of them may move a
// cursor, change a colour or reorder the text around it, and every cut or
// replacement is visible.
package termtext

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// Harmless makes one line of any text: a control character becomes its picture
// (U+2400…), a formatting character or an invalid byte the replacement character. CI
// runners find no commands in it.
func Harmless(s string) string {
	return withoutCommands(strings.Map(func(r rune) rune {
		switch {
		case r < ' ':
			return '␀' + r
		case r == 0x7f:
			return '␡'
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			return unicode.ReplacementChar
		}
		return r
	}, s))
}

// runnerMarks begin commands to the runners of GitHub and Azure anywhere in a line.
var runnerMarks = strings.NewReplacer("##[", "#\ufffd[", "##vso[", "#\ufffdvso[")

// withoutCommands changes text that CI runners take for commands to them. GitHub's also
// begin a line with two colons after any space; a path stays valid with "./" before it.
func withoutCommands(s string) string {
	s = runnerMarks.Replace(s)
	if text := strings.TrimLeftFunc(s, unicode.IsSpace); strings.HasPrefix(text, "::") {
		return s[:len(s)-len(text)] + "./" + text
	}
	return s
}

// Fit makes a text harmless, cuts it to a number of terminal columns and fills
// it up to them.
func Fit(s string, columns int) string {
	return runewidth.FillRight(Cut(s, columns), columns)
}

// FitRight is Fit with the text at the right edge.
func FitRight(s string, columns int) string {
	return runewidth.FillLeft(Cut(s, columns), columns)
}

// room is the most bytes that may take up one column on average: a letter and its
// marks take at most about ten. Bytes beyond it are not measured, because measuring
// takes time that grows with the square of a text's length.
const room = 16

// Cut makes a text harmless and cuts its end off beyond a number of columns.
func Cut(s string, columns int) string {
	if most := room * columns; len(s) > most {
		s = s[:most] + "…"
	}
	return runewidth.Truncate(Harmless(s), columns, "…")
}

// CutLeft is Cut at the beginning, for paths, whose end says more.
func CutLeft(s string, columns int) string {
	if most := room * columns; len(s) > most {
		s = "…" + s[len(s)-most:]
	}
	s = Harmless(s)
	over := runewidth.StringWidth(s) - columns
	if over <= 0 {
		return s
	}
	return runewidth.TruncateLeft(s, over+1, "…")
}

// Middle cuts the middle out of a sentence of more than 600 bytes. Such a sentence
// repeats a foreign name or answer; its beginning has the fault and its end the remedy.
// Middle does not make the rest harmless.
func Middle(s string) string {
	const head, tail = 400, 200
	if len(s) <= head+tail {
		return s
	}
	return strings.ToValidUTF8(s[:head], "") + " … " + strings.ToValidUTF8(s[len(s)-tail:], "")
}

// Wrap makes a text harmless and breaks it between words so that no line is
// wider than columns.
func Wrap(s string, columns int) []string {
	var lines []string
	line, width := "", 0
	for word := range strings.FieldsSeq(Harmless(s)) {
		word = Cut(word, columns)
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
	return lines
}
