package appendwithoutroom

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

func Test(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), Analyzer, "a", "clean")
}

// Only a profile knows whether a slice grows enough to be worth another loop.
func TestCounted(t *testing.T) {
	for _, result := range analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), Analyzer, "counted") {
		for _, d := range result.Diagnostics {
			if d.Category != rewrite.Sometimes {
				t.Errorf("%s: category %q, want %q", result.Pass.Fset.Position(d.Pos), d.Category, rewrite.Sometimes)
			}
		}
	}
}
