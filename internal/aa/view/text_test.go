package view

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/aa"
)

func TestText(t *testing.T) {
	var b strings.Builder
	Text(&b, &aa.Summary{Rows: []*aa.Row{
		{Placement: "identical file"},
		{Placement: "fresh copies", Experiments: 1, Tests: 2, FalseClaims: 1},
	}})
	if text := b.String(); !strings.Contains(text, "50.0%") || strings.Contains(text, "identical") {
		t.Errorf("a row with one experiment, and none without; got\n%s", text)
	}
}
