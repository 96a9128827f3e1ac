package termtext

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"
)

func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"main.f":             "main.f",
		"\x1b[31mred\n":      "␛[31mred␊",
		"a\u202eb":           "a\ufffdb",
		"\xff":               "\ufffd",
		"a\u2028b\u0085\x7f": "a\ufffdb\ufffd␡",
	} {
		if got := Harmless(in); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", in, got, want)
		}
	}
}

// Source and joined errors keep their lines and their tabs, and nothing else of that kind.
func TestHarmlessLines(t *testing.T) {
	const in, want = "\tif a\n\t\t\x1b[31mb\u202e\r\n::error::c\n", "\tif a\n\t\t␛[31mb\ufffd␍\n./::error::c\n"
	if got := HarmlessLines(in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in      string
		columns int
		want    []string
	}{
		{"saves 12% of what\nit takes", 10, []string{"saves 12%", "of what␊it", "takes"}},
		{"CPU -31% and wall", 8, []string{"CPU -31%", "and wall"}},
	} {
		if got := Wrap(tt.in, tt.columns); !slices.Equal(got, tt.want) {
			t.Errorf("%q in %d columns: got %q, want %q", tt.in, tt.columns, got, tt.want)
		}
	}
}

// Whatever the text, the result is one line of at most so many columns.
func TestWidths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "text"), rapid.IntRange(4, 40).Draw(t, "columns")
		lines := append(Wrap(s, n), Cut(s, n), CutLeft(s, n), Fit(s, n), FitRight(s, n))
		for _, l := range lines {
			if w := runewidth.StringWidth(l); w > n {
				t.Fatalf("%q is %d columns wide, of %d", l, w, n)
			}
			if strings.ContainsFunc(l, unicode.IsControl) {
				t.Fatalf("%q has a control character", l)
			}
		}
	})
}

// A text that is much longer than its columns is measured by its visible end alone:
// marks that take no column count as well, and the cut is visible.
func TestLongTexts(t *testing.T) {
	const columns = 20
	for _, part := range []string{"a", ".a", "(", "世", "e\u0301\u0301", "\u0301", "\xff", "\x1b", "\u200d"} {
		long := strings.Repeat(part, 1<<20/len(part))
		for _, got := range []string{Cut(long, columns), Fit(long, columns), FitRight(long, columns), CutLeft(long, columns), strings.Join(Wrap(long, columns), "\n")} {
			if w := runewidth.StringWidth(got); w > columns || len(got) > (room+4)*columns || !strings.Contains(got, "…") {
				t.Errorf("%q…: %d columns, %d bytes: %.100q", part, w, len(got), got)
			}
		}
	}
}

func TestMiddle(t *testing.T) {
	const note = "no source for main.go: it is newer than the profile"
	if got := Middle(note); got != note {
		t.Errorf("%q", got)
	}
	got := Middle("no source for " + strings.Repeat("世 ", 1<<18) + ": it is newer than the profile")
	if len(got) > 650 || !strings.HasPrefix(got, "no source for 世 ") || !strings.Contains(got, " … ") || !strings.HasSuffix(got, ": it is newer than the profile") || !utf8.ValidString(got) {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

// CI runners execute commands that they find in the output of a step.
func TestNoCommandsToRunners(t *testing.T) {
	for text, want := range map[string]string{
		"::add-mask::x.go":        "./::add-mask::x.go",
		" \u00a0::error::x":       " \u00a0./::error::x",
		"a ##[set-env]b":          "a #\ufffd[set-env]b",
		"a ##vso[task.logissue]b": "a #\ufffdvso[task.logissue]b",
		"a::b [::1] ## c":         "a::b [::1] ## c",
	} {
		if got := Harmless(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		} else if again := Harmless(got); again != got {
			t.Errorf("%q: %q the second time", text, again)
		}
	}
	if got := Wrap("one ::error::x", 8); strings.HasPrefix(got[1], "::") {
		t.Errorf("%q", got)
	}
}
