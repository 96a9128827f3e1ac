package poolput

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "a", "b", "f", "reports", "missed", "types", "callbacks", "stale", "lines", "partial", "holders")
}
