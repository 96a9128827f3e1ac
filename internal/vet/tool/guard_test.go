package tool

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// A fault in a check costs its reports, not the run.
func TestGuard(t *testing.T) {
	a := &analysis.Analyzer{Name: "a", Run: func(*analysis.Pass) (any, error) { panic("fault") }}
	guard(a, map[*analysis.Analyzer]bool{})
	_, err := a.Run(&analysis.Pass{})
	if err == nil || !strings.Contains(err.Error(), "fault") {
		t.Errorf("error %v", err)
	}
}
