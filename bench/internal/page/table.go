package page

import (
	"fmt"
	"strings"
)

// Row returns a row of a table.
func Row(cells ...any) string {
	var b strings.Builder
	b.WriteString("|")
	for _, c := range cells {
		fmt.Fprintf(&b, " %v |", c)
	}
	b.WriteString("\n")
	return b.String()
}

// Columns returns the head of a table. Columns that end in ":" are aligned right.
func Columns(names ...string) string {
	var head, rule []any
	for _, n := range names {
		name, right := strings.CutSuffix(n, ":")
		head = append(head, name)
		if right {
			rule = append(rule, "---:")
		} else {
			rule = append(rule, "---")
		}
	}
	return Row(head...) + Row(rule...)
}
