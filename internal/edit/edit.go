// Package edit changes source in memory, says whether the result compiles, and
// rewrites files. The static checks propose the changes, for vet and for diagnose alike.
//
// The stance: code is shown for a line only if the package type-checks with it.
// Whatever cannot be proven right, a size for example, is left unchanged. No file
// outside the modules that the user works on is written.
package edit

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"
)

// Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	File  string `json:"file"` // absolute
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// Diff returns a unified diff that patch and git apply read. The name has slashes.
func Diff(name string, before, after []byte) []byte {
	text := diff.Diff(QuoteName("a/"+name), before, QuoteName("b/"+name), after)
	if i := bytes.IndexByte(text, '\n'); bytes.HasPrefix(text, []byte("diff ")) {
		return text[i+1:]
	}
	return text
}
