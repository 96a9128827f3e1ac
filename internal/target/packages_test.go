package target

import (
	"strings"
	"testing"
)

// The error holds a command to paste, and a package may be a folder of any name.
func TestNoBenchmarkQuotesPackages(t *testing.T) {
	err := (&Packages{Names: []string{"./a;touch pwned"}, Bench: "X"}).noBenchmark()
	if want := "go test -list . './a;touch pwned'"; !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want it to end with %q", err, want)
	}
}
