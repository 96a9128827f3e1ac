package unstoppedticker

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func Test(t *testing.T) {
	for _, module := range []string{"old", "new"} { // go 1.21 and 1.23
		analysistest.Run(t, filepath.Join(analysistest.TestData(), module), Analyzer, "./...")
	}
}
