package closureloop

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/heapwright/heapwright/internal/check/repeated"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "clean")
	for pkg, category := range map[string]string{"a": "", "sometimes": repeated.Sometimes} {
		for _, result := range analysistest.Run(t, analysistest.TestData(), Analyzer, pkg) {
			for _, d := range result.Diagnostics {
				if d.Category != category {
					t.Errorf("%s: category %q, want %q", result.Pass.Fset.Position(d.Pos), d.Category, category)
				}
			}
		}
	}
}
