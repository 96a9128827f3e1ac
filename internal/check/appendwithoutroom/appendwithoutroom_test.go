package appendwithoutroom

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Only a profile knows whether a slice in "counted" grows enough to be worth another loop.
func Test(t *testing.T) {
	for _, result := range analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), Analyzer, "a", "clean", "counted") {
		for _, d := range result.Diagnostics {
			if result.Pass.Pkg.Path() == "counted" && d.Category != rewrite.Sometimes {
				t.Errorf("%s: category %q, want %q", result.Pass.Fset.Position(d.Pos), d.Category, rewrite.Sometimes)
			}
		}
	}
}
