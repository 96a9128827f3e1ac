package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

var update = flag.Bool("update", false, "write the table of rules in docs/internals/rules.md")

// Every rule says all that a finding of it needs, and the page for users has the
// rules as they say it themselves.
func TestRulesAreDocumented(t *testing.T) {
	var table strings.Builder
	table.WriteString("| rule | what it means | remedy |\n| --- | --- | --- |\n")
	cell := strings.NewReplacer("\n", " ", "|", `\|`)
	for _, r := range Rules {
		if r.Name == "" || r.Title == "" || r.Doc == "" || r.Remedy == "" || r.Example == "" || r.Risk == "" || r.Find == nil && r.Saves == (evidence.Range{}) {
			t.Errorf("%s is incomplete: %+v", r.Name, r)
		}
		fmt.Fprintf(&table, "| `%s` | **%s.** %s | %s |\n", r.Name, cell.Replace(r.Title), cell.Replace(r.Doc), cell.Replace(r.Remedy))
	}
	page := filepath.Join("..", "..", "docs", "internals", "rules.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const head = "| rule |"
	before, old, found := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), head)
	switch {
	case !found:
		t.Errorf("%s has no table of rules", page)
	case head+old == table.String():
	case *update:
		if err := os.WriteFile(page, []byte(before+table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s has other rules; write its table with: go test ./internal/rules -run RulesAreDocumented -update", page)
	}
}

// A diagnosis from a heap profile alone, without source, says which faults the
// rules cannot see.
func TestRulesSayWhatTheyDoNotSee(t *testing.T) {
	_, notes := Find(built(t, evidence.Runtime{}, profiletest.NewHeap(0).Heap(1e6, 0, "example.org/app.f@/src/app/x.go:1"+profiletest.Main).File(t, "heap")))
	said := strings.Join(notes, "\n")
	for _, rule := range []string{"append-without-room", "boxing", "map-without-size", "string-concatenation", "string-conversion", "closure", "retention",
		"unbounded-growth", "request-buffer", "short-lived"} {
		has(t, said, rule)
	}
	has(t, said, "-C")
}
