package closure

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

func Test(t *testing.T) {
	for _, result := range analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), Analyzer, "a", "clean", "fix", "sometimes") {
		category := ""
		if result.Pass.Pkg.Path() == "sometimes" {
			category = rewrite.Sometimes
		}
		for _, d := range result.Diagnostics {
			if d.Category != category {
				t.Errorf("%s: category %q, want %q", result.Pass.Fset.Position(d.Pos), d.Category, category)
			}
		}
	}
}
