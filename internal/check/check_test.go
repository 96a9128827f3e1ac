package check

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

var update = flag.Bool("update", false, "write the list of checks in docs/vet.md")

func TestValid(t *testing.T) {
	var all []*analysis.Analyzer
	for _, c := range Checks {
		all = append(all, c.Analyzer)
	}
	if err := analysis.Validate(all); err != nil {
		t.Error(err)
	}
}

// docs/vet.md lists the checks as their analyzers describe them. A check with a
// fix states the fix's preconditions.
func TestDocumented(t *testing.T) {
	const page = "../../docs/vet.md"
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	list.WriteString("<!-- checks -->\n")
	kind := Kind("")
	for _, c := range Checks {
		summary, _, _ := strings.Cut(c.Doc, "\n")
		reports, ok := strings.CutPrefix(summary, "report ")
		if !ok {
			t.Errorf("%s: the description begins with %q, want a line \"report …\"", c.Name, summary)
		}
		if c.Kind != kind {
			kind = c.Kind
			fmt.Fprintf(&list, "\n%s checks:\n\n", strings.ToUpper(string(kind[:1]))+string(kind[1:]))
		}
		if strings.Contains(c.Doc, "precondition") {
			reports += " *(fix)*"
		}
		fmt.Fprintf(&list, "- `%s`: %s\n", c.Name, reports)
	}
	list.WriteString("\n<!-- end -->")
	now := regexp.MustCompile(`(?s)<!-- checks -->.*<!-- end -->`).ReplaceAllLiteral(old, []byte(list.String()))
	switch {
	case bytes.Equal(now, old):
	case *update:
		if err := os.WriteFile(page, now, 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s has other checks; write its list with: go test ./internal/check -run Documented -update", page)
	}
}
