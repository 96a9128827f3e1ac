package heapwright

// The documents for users: short guides, links that resolve, code that runs and
// output that is real. Their form is described in CONTRIBUTING.md.

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxWords is the length of a guide that takes five minutes to read, at 220 words a
// minute: a reader with a task stays that long.
const maxWords = 1100

// Guides are short. Details for readers of the code are in docs/internals,
// measurements in docs/results. Nobody reads a reference table from top to bottom, so
// tables do not count.
func TestGuidesAreShort(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\|.*$`)
	for _, s := range sources(t, isGuide) {
		if n := len(strings.Fields(row.ReplaceAllString(s.text, ""))); n > maxWords {
			t.Errorf("%s: %d words, more than %d: move details to docs/internals", s.path, n, maxWords)
		}
	}
}

func isGuide(s source) bool {
	return path.Ext(s.path) == ".md" && (path.Dir(s.path) == "docs" || s.path == "README.md")
}

// Readers find every package in the table of packages.
func TestPackagesAreListed(t *testing.T) {
	const page = "docs/internals/packages.md"
	for _, s := range sources(t, func(s source) bool { return s.path == page }) {
		for _, pkg := range slices.Concat(layers...) {
			if !strings.Contains(s.text, "| `"+pkg+"`") && !strings.Contains(s.text, "| `"+pkg+"/…`") {
				t.Errorf("%s has no line for %s", page, pkg)
			}
		}
	}
}

// A page of results names the command that makes it. What bench measures it also
// names the commit of, in its first lines; each row of claims has a date and a command.
func TestResultsNameTheirCommand(t *testing.T) {
	command := regexp.MustCompile(`\bgo (-C bench )?(run|test) \./`)
	measured := regexp.MustCompile(`^# .*\n\nThis page is the output of one command:\n\n    go -C bench run \./(.*) > (docs/results/.*)\n\nMeasured at commit [0-9a-f]{7,12}[,.]`)
	for _, s := range sources(t, func(s source) bool { return path.Dir(s.path) == "docs/results" && path.Ext(s.path) == ".md" }) {
		if !command.MatchString(s.text) {
			t.Errorf("%s: no command says how to make it again", s.path)
		}
		if !strings.Contains(s.text, "go -C bench run") || path.Base(s.path) == "claims.md" {
			continue
		}
		m := measured.FindStringSubmatch(s.text)
		if m == nil || m[2] != s.path {
			t.Errorf("%s: the first lines do not name its command, file and commit as bench/internal/page does", s.path)
		} else if _, err := os.Stat("bench/" + strings.Fields(m[1])[0]); err != nil {
			t.Error(err)
		}
	}
}

// The Go code of the guides stands in tests, most of it in runnable examples, so
// that it compiles. Indentation does not count.
func TestGuidesShowCodeThatRuns(t *testing.T) {
	unindented := func(text string) string { return regexp.MustCompile(`(?m)^[ \t]+`).ReplaceAllString(text, "") }
	var tests strings.Builder
	for _, s := range sources(t, source.isTest) {
		tests.WriteString(unindented(s.text))
	}
	block := regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	for _, s := range sources(t, isGuide) {
		for _, b := range block.FindAllStringSubmatch(s.text, -1) {
			if !strings.Contains(tests.String(), unindented(b[1])) {
				t.Errorf("%s: no test has this code:\n%s", s.path, b[1])
			}
		}
	}
}

// The picture of the layers shows them as they are.
func TestArchitectureShowsTheLayers(t *testing.T) {
	picture, err := os.ReadFile("docs/images/architecture.svg")
	if err != nil {
		t.Fatal(err)
	}
	var shown, want []string
	for _, box := range regexp.MustCompile(`<text class="" [^>]*>([^<]+)</text>`).FindAllSubmatch(picture, -1) {
		shown = append(shown, string(box[1]))
	}
	for _, pkg := range slices.Concat(layers...) {
		want = append(want, strings.TrimPrefix(pkg, "internal/"))
	}
	if !slices.Equal(shown, want) {
		t.Errorf("docs/images/architecture.svg shows %q, want %q: run go run ./internal/pictures architecture", shown, want)
	}
}
