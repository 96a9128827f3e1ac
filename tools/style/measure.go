package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// counts are the measures of a folder.
type counts struct {
	files, lines int

	// types counts the declared types, and participles those whose name is a participle.
	types, participles int

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

	// unkeyed counts the literals of structs that set a fourth field by its position.
	unkeyed int

	// bodies counts the lines inside functions, and sentences the sentences on lines of
	// their own there.
	bodies, sentences int

	// findings has a line for each of thatOf, tell, fragments, participles, unkeyed and
	// wide.
	findings []string
}

var (
	generated  = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	thatOf     = regexp.MustCompile(`(?i)\b(that|those) of\b`)
	tell       = regexp.MustCompile(`(?i)\b(tells?|told|telling)\b`)
	fragment   = regexp.MustCompile(`^// (of|that|its|by|in|for|from|to|with|at|on|as|where|which|whose|after|before|until|since)\b`)
	participle = regexp.MustCompile(`([a-z]ed|[a-z]tten|known|built|held|found|taken|given|made|told|kept|done|drawn|grown|seen|shown|borne|chosen|broken|sent|spent|meant|left|lost|put)$`)
	sentence   = regexp.MustCompile(`(^|[.:] )[A-Z][^.]*\.`)
)

// measure counts the files below a folder.
func measure(dir string) (*counts, error) {
	c := &counts{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		base := d.Name()
		ignored := slices.Contains([]string{"testdata", "vendor", "third_party"}, base)
		if name != dir && (ignored || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
			return fs.SkipDir
		}
		return c.folder(name)
	})
	return c, err
}

// folder counts the files of one folder. They are parsed before any is counted, because
// a literal of one may be of a struct in another.
func (c *counts) folder(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	positions := token.NewFileSet()
	structs := map[string]bool{}
	var files []file
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, "_test.go") || generated.Match(text) {
			continue
		}
		f := file{positions: positions, lines: strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")}
		if f.syntax, err = parser.ParseFile(positions, name, text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return err
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				_, structs[spec.Name.Name] = spec.Type.(*ast.StructType)
			}
			return true
		})
		files = append(files, f)
	}
	for _, f := range files {
		c.add(f, structs)
	}
	return nil
}

// file is a file that was parsed.
type file struct {
	positions *token.FileSet
	syntax    *ast.File
	lines     []string
}

// alone reports whether a comment has its line for itself.
func (f *file) alone(at token.Position) bool {
	return strings.TrimSpace(f.lines[at.Line-1][:at.Column-1]) == ""
}

// add counts one file.
func (c *counts) add(f file, structs map[string]bool) {
	c.files++
	c.lines += len(f.lines)
	name := f.positions.File(f.syntax.FileStart).Name()
	for i, line := range f.lines {
		if utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > 120 {
			c.wide++
			c.find(token.Position{Filename: name, Line: i + 1}, "wide", "")
		}
	}
	inside := c.declared(f, structs)
	for _, group := range f.syntax.Comments {
		if at := f.positions.Position(group.Pos()); inside[at.Line] && f.alone(at) {
			c.sentences += len(sentence.FindAllString(strings.Join(strings.Fields(group.Text()), " "), -1))
		}
		for _, comment := range group.List {
			at := f.positions.Position(comment.Pos())
			c.comment(at, comment.Text)
			if f.alone(at) {
				continue
			}
			c.margins++
			if fragment.MatchString(comment.Text) {
				c.fragments++
				c.find(at, "margin", comment.Text)
			}
		}
	}
}

// comment counts the words of a comment.
func (c *counts) comment(at token.Position, text string) {
	c.comments += 1 + strings.Count(text, "\n")
	c.words += len(strings.Fields(text)) - 1 // the slashes
	for range tell.FindAllString(text, -1) {
		c.tell++
		c.find(at, "tell", text)
	}
	if thatOf.MatchString(text) {
		c.thatOf++
		c.find(at, "that of", text)
	}
}

// declared counts types, literals and bodies of functions, and returns the lines inside
// bodies.
func (c *counts) declared(f file, structs map[string]bool) map[int]bool {
	inside := map[int]bool{}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if c.types++; participle.MatchString(n.Name.Name) {
				c.participles++
				c.find(f.positions.Position(n.Pos()), "participle", n.Name.Name)
			}
		case *ast.CompositeLit:
			if unkeyed(n, structs) {
				c.unkeyed++
				c.find(f.positions.Position(n.Pos()), "unkeyed", "")
			}
		case *ast.FuncDecl:
			if n.Body != nil {
				from, to := f.positions.Position(n.Body.Lbrace).Line, f.positions.Position(n.Body.Rbrace).Line
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

// unkeyed reports whether a literal sets four fields of a struct or more by their
// positions. The rows of a table, which have no type of their own, may do so.
func unkeyed(n *ast.CompositeLit, structs map[string]bool) bool {
	if len(n.Elts) < 4 {
		return false
	}
	if _, keyed := n.Elts[0].(*ast.KeyValueExpr); keyed {
		return false
	}
	switch t := n.Type.(type) {
	case *ast.Ident:
		return structs[t.Name]
	case *ast.SelectorExpr:
		return true
	}
	return false
}

func (c *counts) find(at token.Position, what, text string) {
	c.findings = append(c.findings, strings.TrimSpace(fmt.Sprintf("%s:%d: %s: %s", at.Filename, at.Line, what, text)))
}
