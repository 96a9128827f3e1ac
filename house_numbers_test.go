package heapwright

import (
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// foreignNumber finds what no Go tool prints: the minus sign U+2212, a space before %,
// and an interval whose unit stands behind the bracket. Write -20.8% [-25.7%, -16.3%].
var foreignNumber = regexp.MustCompile(`\x{2212}|([0-9∞\]]|%[-+0-9.]*[a-z]) %([%\s)",;:|<*]|\.?$|\.\W)`)

func TestNumbersAreWrittenAsGoToolsWriteThem(t *testing.T) {
	for _, s := range sources(t, anyFile) {
		texts := []string{s.text}
		if goFile(s) {
			texts = textsOf(s)
		}
		if path.Base(s.path) == "house_numbers_test.go" { // holds examples
			continue
		}
		for _, text := range texts {
			for line := range strings.Lines(text) {
				if found := foreignNumber.FindString(line); found != "" {
					t.Errorf("%s: %q in %q: write numbers as in -20.8%% [-25.7%%, -16.3%%]", s.path, found, strings.TrimSpace(line))
				}
			}
		}
	}
}

// textsOf returns the comments and string literals of a Go file. In its code, % is
// an operator.
func textsOf(s source) []string {
	var texts []string
	var scan scanner.Scanner
	files := token.NewFileSet()
	scan.Init(files.AddFile(s.path, -1, len(s.text)), []byte(s.text), nil, scanner.ScanComments)
	for {
		switch _, tok, text := scan.Scan(); tok {
		case token.EOF:
			return texts
		case token.COMMENT, token.STRING:
			texts = append(texts, text)
		}
	}
}

func TestForeignNumbersAreFound(t *testing.T) {
	for text, want := range map[string]bool{
		"\u221220.8%": true, "20.8 % of CPU": true, `"%.1f %%"`: true, "[1.0, 2.0] %": true, "(5 %)": true, "at 5 %.": true, "95 %": true,
		"-20.8% [-25.7%, -16.3%]": false, "%d %s": false, "1 %v": false, "%.1f%%": false, "x %% 200": false,
	} {
		if got := foreignNumber.MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
