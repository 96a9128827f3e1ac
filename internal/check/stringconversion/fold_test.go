package stringconversion

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// For the letters that foldsAlike admits, EqualFold agrees with the change of case about
// every rune.
func TestFoldsAlike(t *testing.T) {
	for name, change := range map[string]func(string) string{"strings.ToLower": strings.ToLower, "strings.ToUpper": strings.ToUpper} {
		f := folds[name]
		unlike := map[string]bool{}
		for r := range unicode.MaxRune + 1 {
			other := string(rune(r))
			for equal := unicode.SimpleFold(rune(r)); ; equal = unicode.SimpleFold(equal) {
				for _, text := range []string{string(equal), change(other)} {
					admitted := text[0] <= unicode.MaxASCII && len(text) == 1 && !strings.Contains(f.changed, text)
					if admitted && (change(other) == text) != strings.EqualFold(other, text) {
						unlike[text] = true
					}
				}
				if equal == rune(r) {
					break
				}
			}
		}
		if got := strings.Join(slices.Sorted(maps.Keys(unlike)), ""); got != f.unlike {
			t.Errorf("%s differs from EqualFold in %q, want %q", name, got, f.unlike)
		}
	}
}
