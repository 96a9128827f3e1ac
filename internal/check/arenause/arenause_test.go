package arenause

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func Test(t *testing.T) {
	analysistest.Run(t, "../../lifetime/testdata", Analyzer, "./arenause/...")
}
