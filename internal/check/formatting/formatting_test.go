package formatting

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func Test(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), Analyzer,
		"a", "clean", "held", "joined", "written", "guarded", "failing")
}
