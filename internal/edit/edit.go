// Package edit changes source in memory, checks that the result compiles, and rewrites files.
// The static checks propose the changes, both for vet and for diagnose.
//
// The stance: code is shown for a line only if the package type-checks with it. What cannot be
// proven right, such as a size, stays as it is. Only files in the modules that the user works
// on are written.
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

// Diff returns a unified diff for patch and git apply. The name has slashes. Where before is nil,
// the file is new.
func Diff(name string, before, after []byte) []byte {
	old := QuoteName("a/" + name)
	if before == nil {
		old = "/dev/null"
	}
	text := diff.Diff(old, before, QuoteName("b/"+name), after)
	if i := bytes.IndexByte(text, '\n'); bytes.HasPrefix(text, []byte("diff ")) {
		return text[i+1:]
	}
	return text
}
