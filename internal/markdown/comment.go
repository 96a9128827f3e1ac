package markdown

import (
	"fmt"
	"io"
	"strings"
)

// CommentLimit is the length of a GitHub comment in characters. A Comment counts bytes,
// which are never fewer.
const CommentLimit = 65_536

// Comment is a Markdown text of at most CommentLimit bytes. Parts that do not fit are
// counted, and its last line names them. The zero value is an empty comment.
type Comment struct {
	text   strings.Builder
	ending string   // closes the open element
	cut    []string // names the parts that did not fit
}

// reserve is kept for the closing tags and the line that names the parts left out.
const reserve = 1024

func (c *Comment) fits(n int) bool {
	return c.text.Len()+n+len(c.ending)+reserve <= CommentLimit
}

// Paragraph adds a paragraph.
func (c *Comment) Paragraph(s string) { c.Lines("", []string{s}, "paragraph") }

// Lines adds as many lines as fit below a head, which may be empty.
func (c *Comment) Lines(head string, lines []string, what string) {
	if len(lines) == 0 {
		return
	}
	if !c.fits(len(head) + len(lines[0]) + 2) {
		c.drop(fmt.Sprintf("%d %s", len(lines), what))
		return
	}
	c.text.WriteString(head)
	for i, l := range lines {
		if !c.fits(len(l) + 2) {
			c.drop(fmt.Sprintf("%d of %d %s", len(lines)-i, len(lines), what))
			break
		}
		c.text.WriteString(l + "\n")
	}
	c.text.WriteString("\n")
}

func (c *Comment) drop(what string) { c.cut = append(c.cut, what) }

// Open begins an element that Close ends, whatever is cut within it.
func (c *Comment) Open(begin, end string) {
	c.ending = end + "\n\n"
	c.text.WriteString(begin + "\n\n")
}

// Close ends the element that Open began.
func (c *Comment) Close() {
	c.text.WriteString(c.ending)
	c.ending = ""
}

// WriteTo writes the comment. It may be called once.
func (c *Comment) WriteTo(w io.Writer) (int64, error) {
	if c.cut != nil {
		fmt.Fprintf(&c.text, "_Cut to fit a comment: %s. All of it is in report.html._\n", strings.Join(c.cut, ", "))
	}
	n, err := io.WriteString(w, c.text.String())
	return int64(n), err
}
