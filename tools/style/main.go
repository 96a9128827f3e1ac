// Style measures the English and the shape of Go code, in the measures that
// CONTRIBUTING.md sets limits for. It counts one row for each folder, so that a
// repository can be compared with others:
//
//	go -C tools run ./style ../ /path/to/another/repository
//
// Generated files, tests, testdata and vendored code do not count.
package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) == 1 {
		log.Fatal("usage: style FOLDER...")
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "folder\tfiles\tlines\tthat of\ttell\tmargin\tparticiples\twide\tsentences")
	for _, dir := range os.Args[1:] {
		var c counts
		if err := c.walk(dir); err != nil {
			log.Fatal("style: ", err)
		}
		fmt.Fprintf(out, "%s\t%d\t%d\t%.2f%%\t%.2f‰\t%.1f%%\t%d of %d\t%.2f%%\t%.1f%%\n", filepath.Base(cmp.Or(abs(dir), dir)), c.files, c.lines,
			share(c.thatOf, c.comments), 10*share(c.tell, c.words), share(c.fragments, c.margins), len(c.participles), c.types,
			share(c.wide, c.lines), share(c.sentences, c.bodies))
		if os.Getenv("STYLE_NAMES") != "" {
			fmt.Fprintln(out, strings.Join(c.participles, " "))
		}
	}
	out.Flush()
}

func abs(dir string) string { a, _ := filepath.Abs(dir); return a }

func share(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// counts are the measures of a folder.
type counts struct {
	files, lines int
	types        int

	// wide counts the lines over 120 columns. A tab takes four.
	wide int

	// comments and words count the lines and the words of comments.
	comments, words int

	// thatOf counts the comment lines with "that of" or "those of", and tell the words
	// "tell", "tells", "told" and "telling".
	thatOf, tell int

	// margins counts the comments that follow code on its line. Fragments counts the
	// margins that begin with a preposition.
	margins, fragments int

	// participles are the types whose name is a participle.
	participles []string

	// bodies counts the lines inside functions, and sentences the comments there that
	// begin a sentence.
	bodies, sentences int
}

var (
	generated  = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	thatOf     = regexp.MustCompile(`(?i)\b(that|those) of\b`)
	tell       = regexp.MustCompile(`(?i)\b(tells?|told|telling)\b`)
	fragment   = regexp.MustCompile(`^// (of|that|its|by|in|for|from|to|with|at|on|as|where|which|whose|after|before|until|since)\b`)
	participle = regexp.MustCompile(`([a-z]ed|[a-z]tten|known|built|held|found|taken|given|made|told|kept|done|drawn|grown|seen|shown|borne|chosen|broken|sent|spent|meant|left|lost|put)$`)
	sentence   = regexp.MustCompile(`^// [A-Z].*\.`)
)

func (c *counts) walk(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != dir && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || slices.Contains([]string{"testdata", "vendor", "third_party"}, d.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil || generated.Match(text) {
			return err
		}
		return c.add(name, string(text))
	})
}

// add counts one file.
func (c *counts) add(name, text string) error {
	positions := token.NewFileSet()
	f, err := parser.ParseFile(positions, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	c.files++
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	c.lines += len(lines)
	for _, line := range lines {
		if utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > 120 {
			c.wide++
		}
	}
	inside := c.declared(positions, f)
	for _, group := range f.Comments {
		for _, comment := range group.List {
			line := positions.Position(comment.Pos()).Line
			c.comment(comment.Text)
			if strings.TrimSpace(lines[line-1][:positions.Position(comment.Pos()).Column-1]) != "" {
				c.margins++
				if fragment.MatchString(comment.Text) {
					c.fragments++
				}
			} else if inside[line] && sentence.MatchString(comment.Text) {
				c.sentences++
			}
		}
	}
	return nil
}

// comment counts the words of a comment.
func (c *counts) comment(text string) {
	c.comments += 1 + strings.Count(text, "\n")
	c.words += len(strings.Fields(text)) - 1 // the slashes
	c.tell += len(tell.FindAllString(text, -1))
	if thatOf.MatchString(text) {
		c.thatOf++
	}
}

// declared counts types and bodies of functions, and returns the lines inside them.
func (c *counts) declared(positions *token.FileSet, f *ast.File) map[int]bool {
	inside := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if c.types++; participle.MatchString(n.Name.Name) {
				c.participles = append(c.participles, n.Name.Name)
			}
		case *ast.FuncDecl:
			if n.Body != nil {
				from, to := positions.Position(n.Body.Lbrace).Line, positions.Position(n.Body.Rbrace).Line
				for line := from; line <= to; line++ {
					inside[line] = true
				}
			}
		}
		return true
	})
	c.bodies += len(inside)
	return inside
}
