package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPages(t *testing.T) {
	var docs [][]byte
	for i := range 50 {
		docs = append(docs, fmt.Appendf(nil, "# Page %d\n\n* a *b*\n* [c](/d)\n\n## End %d\r\n", i, i))
	}
	s := &Site{Titles: make(chan string, len(docs))}
	for i, page := range s.Pages(docs, 4) {
		if want := string(ToHTML(docs[i], nil, nil)); string(page) != want {
			t.Errorf("page %d is %q, want %q", i, page, want)
		}
	}
	if s.Longest() == "" {
		t.Error("nothing is remembered")
	}
	if len(s.Titles) != len(docs) || !strings.HasPrefix(<-s.Titles, "Page ") {
		t.Error("titles are missing")
	}
	if h := FirstHeading(docs[7]); h == nil || h.Level != 1 || len(h.Children) == 0 {
		t.Errorf("the first heading is %+v", h)
	}
	if got := Plain([]byte("a *b*")); got != "a b" {
		t.Errorf("the text is %q", got)
	}
	if got := Outline(docs[7]); !slices.Equal(got, []string{"Page 7", "End 7"}) {
		t.Errorf("the headings are %q", got)
	}
}
