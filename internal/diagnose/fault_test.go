package diagnose

import (
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/rules"
)

// A fault that a rule and a check find has one name. An analyzer's name is a Go
// identifier, so the check's is written without hyphens.
func TestOneNameOfEachFault(t *testing.T) {
	both := []string{"append-without-room", "boxing", "closure", "encoder", "formatting", "map-without-size", "request-buffer", "retention",
		"string-concatenation", "string-conversion", "unbounded-growth", "unstopped-ticker"}
	var found []string
	for _, r := range rules.Rules {
		if check.Find(strings.ReplaceAll(r.Name, "-", "")) != nil {
			found = append(found, r.Name)
		}
	}
	if slices.Sort(found); !slices.Equal(found, both) {
		t.Errorf("a rule and a check have one name for %q, want %q", found, both)
	}
}
