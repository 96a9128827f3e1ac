package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/check"
)

// A plantCount counts the planted faults in the testdata of one check. The test of the check
// fails if it misses a fault that counts as found, or finds one that counts as missed.
type plantCount struct{ found, missed int }

// plants counts the planted faults of each check below a folder. A fault belongs to the check
// whose name a folder on the path to its file has. A comment "// want" holds a pattern for each
// fault that is found. A comment "// missed:" stands for a fault that is not found, and gives
// the reason.
func plants(dir string) (map[string]plantCount, error) {
	all := map[string]plantCount{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		below, _ := filepath.Rel(dir, path)
		folders := strings.Split(filepath.ToSlash(filepath.Dir(below)), "/")
		if err != nil || e.IsDir() || filepath.Ext(path) != ".go" || !slices.Contains(folders, "testdata") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil {
			return err
		}
		for _, c := range check.Checks {
			if slices.Contains(folders, c.Name) {
				p := all[c.Name]
				p.count(file)
				all[c.Name] = p
			}
		}
		return nil // some testdata does not parse on purpose
	})
	return all, err
}

func (p *plantCount) count(file *ast.File) {
	for _, group := range file.Comments {
		for _, comment := range group.List {
			_, text, marked := strings.Cut(comment.Text, "// want ")
			switch {
			case marked:
				p.found += patterns(text)
			case strings.HasPrefix(comment.Text, "// missed:"):
				p.missed++
			}
		}
	}
}

// patterns counts the string literals in a text.
func patterns(text string) int {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	n := 0
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.STRING:
			n++
		case token.EOF:
			return n
		}
	}
}

// plantedTable returns the section about planted faults.
func plantedTable(all map[string]plantCount) string {
	var b strings.Builder
	b.WriteString(plantedText + page.Columns("check", "planted:", "found:", "missed:", "share found:"))
	for _, c := range check.Checks {
		p := all[c.Name]
		share := "–"
		if n := p.found + p.missed; n > 0 {
			share = fmt.Sprintf("%.0f%%", 100*float64(p.found)/float64(n))
		}
		b.WriteString(page.Row("`"+c.Name+"`", p.found+p.missed, p.found, p.missed, share))
	}
	return b.String()
}
