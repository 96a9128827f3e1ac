package edit

import (
	"strings"
	"testing"
)

// git apply and patch read these names.
func TestQuoteName(t *testing.T) {
	for name, want := range map[string]string{
		"a/x.go":          "a/x.go",
		"a/ä b.go":        "a/ä b.go",
		"a/\x1b[31m.go":   `"a/\033[31m.go"`,
		"a/x\n+++ b/y.go": `"a/x\012+++ b/y.go"`,
		"a/\u202eog.go":   `"a/\342\200\256og.go"`,
		"a/\xff.go":       `"a/\377.go"`,
		`a/"q\.go`:        `"a/\"q\\.go"`,
		"a/\u2028line.go": `"a/\342\200\250line.go"`,
	} {
		if got := QuoteName(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// A diff without a text before makes the file.
func TestDiffOfNewFile(t *testing.T) {
	want := "--- /dev/null\n+++ b/x.go\n@@ -0,0 +1,1 @@\n+package x\n"
	if got := string(Diff("x.go", nil, []byte("package x\n"))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A file name comes with the repository and may hold an escape sequence or another header.
func TestDiffQuotesNames(t *testing.T) {
	got := string(Diff("\x1b[2J\n+++ b/x.go", []byte("a\n"), []byte("b\n")))
	if want := "--- \"a/\\033[2J\\012+++ b/x.go\"\n+++ \"b/\\033[2J\\012+++ b/x.go\"\n@@"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
