package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// Names come from programs that were measured.
func TestTextIsHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"a_b*c`d|e":              "a\\_b\\*c\\`d\\|e",
		"<script>&\"":            "&lt;script&gt;&amp;&#34;",
		"@gopher #1":             "@<!-- -->gopher #<!-- -->1",
		"[x](http://x)~$\\":      "\\[x\\](http://x)\\~\\$\\\\",
		"one\ntwo\x1b[2J":        "one␊two␛\\[2J",
		strings.Repeat("é", 500): strings.Repeat("é", 400) + "…",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := Code("") + Code("a`|b"); got != "<code>a\\`\\|b</code>" {
		t.Error(got)
	}
}

func TestTable(t *testing.T) {
	if got, want := Table("mode", "CPU:"), "| mode | CPU |\n| --- | --: |\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A comment never exceeds the limit, closes what it opens and says what is missing.
func TestCommentFits(t *testing.T) {
	c := &Comment{}
	c.Paragraph("### title")
	c.Open("<details>", "</details>")
	var rows []string
	for i := range 5000 {
		rows = append(rows, Row(fmt.Sprint(i), strings.Repeat("x", 50)))
	}
	c.Lines(Table("n", "x"), rows, "rows")
	c.Close()
	c.Paragraph(strings.Repeat("y", CommentLimit))
	var out strings.Builder
	n, err := c.WriteTo(&out)
	text := out.String()
	if err != nil || n != int64(len(text)) || n > CommentLimit {
		t.Fatalf("%d bytes, %v", n, err)
	}
	for _, want := range []string{"### title\n", "| 0 | x", "\n\n</details>\n\n", " of 5000 rows, 1 paragraph. All of it is in report.html._\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the comment lacks %q", want)
		}
	}
}
