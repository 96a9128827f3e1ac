package finding

import (
	"fmt"
	"go/version"
	"regexp"

	"github.com/heapwright/heapwright/internal/evidence"
)

// newer has the parts of examples that do not compile with an older go line in go.mod, the
// newest first. It has no functions of the standard library, because they come with the
// toolchain.
var newer = []struct {
	part     *regexp.Regexp
	language string
}{
	{regexp.MustCompile(`\b(arena|gctune)\.`), "go1.26"}, // these modules require it
	{regexp.MustCompile(`range \w+\.\w*(Seq|Values|Keys|All)\(`), "go1.23"},
	{regexp.MustCompile(`\b(clear|min|max)\(`), "go1.21"},
	{regexp.MustCompile(`\bany\b|\b(slices|maps|cmp)\.[A-Z]`), "go1.18"},
}

var comment = regexp.MustCompile(`//.*`)

// addLanguage says so if the module's go line is too old for a finding's example.
func (f *Finding) addLanguage(e *evidence.Evidence) {
	has := e.Source.Language(f.File)
	if has == "" || f.Patch != "" {
		return
	}
	code := comment.ReplaceAllString(f.Example, "") // "any of them" is no type
	for _, n := range newer {
		if n.part.MatchString(code) && version.Compare(has, n.language) < 0 {
			f.Risk += fmt.Sprintf(" The example needs go %s in go.mod, which has go %s.", n.language[2:], has[2:])
			return
		}
	}
}
