package view

import (
	"strings"
	"testing"
)

func TestHTML(t *testing.T) {
	d := document()
	d.Changes[0].Patch, d.Changes[0].Title = d.Patch, "<b>out</b>"
	var b strings.Builder
	if err := HTML(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"&lt;b&gt;out&lt;/b&gt;", "<ins>+\tvar b</ins>", "<del>-\tvar a", "-60.0%", "[-65.0%, -55.0%]", `<tr class="kept">`, `href="#change-2"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(b.String(), "\x1b") || strings.Contains(b.String(), "<b>out") {
		t.Error("text of the source becomes markup")
	}
}
