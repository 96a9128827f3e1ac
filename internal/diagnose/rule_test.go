package diagnose

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of rules in docs/diagnose.md anew")

// Every rule says all that a finding of it needs, and the page for users has the
// rules as they say it themselves.
func TestRulesAreDocumented(t *testing.T) {
	var table strings.Builder
	table.WriteString("| rule | what it means | remedy |\n| --- | --- | --- |\n")
	cell := strings.NewReplacer("\n", " ", "|", `\|`)
	for _, r := range Rules() {
		if r.Name == "" || r.Title == "" || r.Doc == "" || r.Remedy == "" || r.Example == "" || r.Risk == "" || r.Find == nil {
			t.Errorf("%s is incomplete: %+v", r.Name, r)
		}
		fmt.Fprintf(&table, "| `%s` | **%s.** %s | %s |\n", r.Name, cell.Replace(r.Title), cell.Replace(r.Doc), cell.Replace(r.Remedy))
	}
	page := filepath.Join("..", "..", "docs", "diagnose.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const head, next = "| rule |", "\n\n"
	before, rest, found := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), head)
	old, after, ended := strings.Cut(rest, next)
	switch {
	case !found || !ended:
		t.Errorf("%s has no table of rules", page)
	case head+old+"\n" == table.String():
	case *update:
		if err := os.WriteFile(page, []byte(before+table.String()+"\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s has other rules; write its table with: go test ./internal/diagnose -run RulesAreDocumented -update", page)
	}
}

// What rules do not see in a heap profile alone, without source, is said.
func TestRulesSayWhatTheyDoNotSee(t *testing.T) {
	e := gathered(t, Runtime{}, madeHeap(0).heap(1e6, 0, "example.org/app.f@/src/app/x.go:1"+root).file(t, "heap"))
	_, notes := e.Find()
	said := strings.Join(notes, "\n")
	for _, rule := range []string{"append-without-room", "boxing", "map-without-size", "string-concatenation", "string-conversion", "closure", "retention",
		"unbounded-growth", "request-buffer", "arena"} {
		has(t, said, rule)
	}
	has(t, said, "-C")
}
