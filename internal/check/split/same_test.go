package split

import (
	"slices"
	"strings"
	"testing"
)

// cutAll cuts a text as the fix for all parts does.
func cutAll(text, sep string, n int) (parts []string, exact bool) {
	rest, found := text, false
	for range n - 1 {
		var part string
		part, rest, found = strings.Cut(rest, sep)
		parts = append(parts, part)
	}
	return append(parts, rest), found && !strings.Contains(rest, sep)
}

// The fix finds the parts that Split finds, and the first one also where there are others.
func TestCutsAsSplit(t *testing.T) {
	var texts []string
	for first, length := 0, 0; length <= 8; length++ {
		last := len(texts)
		if length == 0 {
			texts = append(texts, "")
			continue
		}
		for _, text := range texts[first:last] {
			texts = append(texts, text+"a", text+"b")
		}
		first = last
	}
	for _, text := range texts {
		for _, sep := range []string{"a", "ab", "aa", "aba"} {
			want := strings.Split(text, sep)
			for n := 2; n <= most; n++ {
				got, exact := cutAll(text, sep, n)
				if exact != (len(want) == n) || exact && !slices.Equal(got, want) || got[0] != want[0] {
					t.Fatalf("%q at %q: %q, %v, not %q", text, sep, got, exact, want)
				}
			}
		}
	}
}
