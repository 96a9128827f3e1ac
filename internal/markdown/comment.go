package report

import (
	"fmt"
	"io"
	"strings"
)

// comment is a Markdown text that cannot grow beyond its limit. Parts that do not fit
// are counted, not forgotten: cut names them.
type comment struct {
	limit  int // bytes
	text   strings.Builder
	ending string // closes the element that is open
	cut    []string
}

// reserve is kept for the closing tags and the line that names the parts left out.
const reserve = 1024

func (m *comment) fits(n int) bool {
	return m.text.Len()+n+len(m.ending)+reserve <= m.limit
}

// paragraph adds a paragraph.
func (m *comment) paragraph(s string) { m.lines("", []string{s}, "paragraph") }

// lines adds as many lines as fit below a head, which may be empty.
func (m *comment) lines(head string, lines []string, what string) {
	if len(lines) == 0 {
		return
	}
	if !m.fits(len(head) + len(lines[0]) + 2) {
		m.drop(fmt.Sprintf("%d %s", len(lines), what))
		return
	}
	m.text.WriteString(head)
	for i, l := range lines {
		if !m.fits(len(l) + 2) {
			m.drop(fmt.Sprintf("%d of %d %s", len(lines)-i, len(lines), what))
			break
		}
		m.text.WriteString(l + "\n")
	}
	m.text.WriteString("\n")
}

func (m *comment) drop(what string) { m.cut = append(m.cut, what) }

// open begins an element that close ends, whatever is cut within it.
func (m *comment) open(begin, end string) {
	m.ending = end + "\n\n"
	m.text.WriteString(begin + "\n\n")
}

func (m *comment) close() {
	m.text.WriteString(m.ending)
	m.ending = ""
}

func (m *comment) writeTo(w io.Writer) error {
	if m.cut != nil {
		fmt.Fprintf(&m.text, "_Cut to fit a comment: %s. All of it is in report.html._\n", strings.Join(m.cut, ", "))
	}
	_, err := io.WriteString(w, m.text.String())
	return err
}
