// Package markdown writes Markdown for the comments of code hosts.
//
// The stance: names and messages come from the programs that were measured. They
// format nothing, notify nobody and link nowhere. A comment says what it leaves out to
// keep within the limit of a host.
package markdown

import (
	"html"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/termtext"
)

// Table begins a table; a column whose title ends in a colon is of numbers.
func Table(titles ...string) string {
	rules := slices.Clone(titles)
	for i, t := range titles {
		rules[i] = "---"
		if cut, ok := strings.CutSuffix(t, ":"); ok {
			titles[i], rules[i] = cut, "--:"
		}
	}
	return Row(titles...) + "\n" + Row(rules...) + "\n"
}

// Row is a row of a table.
func Row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// Text makes text plain in Markdown and in the HTML within it, and keeps it from
// notifying people or linking issues: an empty comment after @ and # does that.
func Text(s string) string {
	var b strings.Builder
	for _, r := range short(termtext.Harmless(s), 400) {
		switch {
		case strings.ContainsRune(`<>&"`, r):
			b.WriteString(html.EscapeString(string(r)))
		case strings.ContainsRune("\\`*_[]|~$", r):
			b.WriteString("\\" + string(r))
		case r == '@' || r == '#':
			b.WriteString(string(r) + "<!-- -->")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Code sets text as code. A backtick would end it and a pipe the table's cell,
// so that HTML's element serves, not Markdown's mark.
func Code(s string) string {
	if s == "" {
		return ""
	}
	return "<code>" + Text(s) + "</code>"
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
