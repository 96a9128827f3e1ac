package propose

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"agent":                     {"agent"},
		" my-agent  --json ":        {"my-agent", "--json"},
		`sh -c 'a | b' "c d"e ''`:   {"sh", "-c", "a | b", "c de", ""},
		`C:\agents\a.exe "it's me"`: {`C:\agents\a.exe`, "it's me"},
	} {
		got, err := Split(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", line, got, err, want)
		}
	}
	for _, line := range []string{"", "  ", "a 'b", `"`} {
		if got, err := Split(line); err == nil {
			t.Errorf("%q: %q", line, got)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(`sh -c 'a | b' "c d"e ''`)
	f.Fuzz(func(t *testing.T, line string) {
		words, err := Split(line)
		if err == nil && !strings.ContainsAny(line, "\"'") && !slices.Equal(words, strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n", r) })) {
			t.Errorf("%q: %q", line, words)
		}
	})
}
