package cli

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// Names in errors command no terminal; each of several errors keeps its line.
func TestErrorsAreHarmless(t *testing.T) {
	err := errors.Join(errors.New("a"), fmt.Errorf("open %s: no", "\x1b[31mb\u202e\u009b"))
	var b bytes.Buffer
	if code := exitCode(&b, "flame", usageError{err}); code != exitUsage || b.String() != "heapwright flame: a\nopen ␛[31mb\ufffd\ufffd: no\n" {
		t.Errorf("%d: %q", code, b.String())
	}
}
