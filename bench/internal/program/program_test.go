package program

import (
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	in := Outside(t.TempDir()).With("GOFLAGS=-mod=mod")
	out, err := in.Output(t.Context(), nil, "go", "env", "GOWORK", "GOFLAGS")
	if err != nil || string(out) != "off\n-mod=mod\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := in.Output(t.Context(), []int{3}, "go", "list"); err == nil || !strings.Contains(err.Error(), "go list") || !strings.Contains(err.Error(), "go.mod") {
		t.Errorf("the error says neither the command nor what it wrote: %v", err)
	}
	if _, err := in.Output(t.Context(), []int{1}, "go", "list"); err != nil {
		t.Errorf("status 1 is an answer: %v", err)
	}
	if err := in.Run(t.Context(), "go", "no-such-verb"); err == nil || !strings.Contains(err.Error(), "unknown command") {
		t.Error(err)
	}
}

func TestMedian(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	if m := Median(values); m != 2.5 || values[0] != 4 {
		t.Errorf("%v of %v", m, values)
	}
	if m := Median(values[:3]); m != 3 {
		t.Error(m)
	}
}
