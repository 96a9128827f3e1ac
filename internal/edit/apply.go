package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	mark = []byte("\ufeff") // a byte order mark, which gofmt would remove
	crlf = []byte("\r\n")
	lf   = []byte("\n")
)

// Insert adds an insertion. Two at one place become one, in which the end of an expression
// comes before the rest.
func Insert(edits []Edit, e Edit) []Edit {
	for i := range edits {
		if edits[i].File != e.File || edits[i].Start != e.Start {
			continue
		}
		if strings.HasPrefix(e.New, ")") {
			edits[i].New = e.New + edits[i].New
		} else {
			edits[i].New += e.New
		}
		return edits
	}
	return append(edits, e)
}

// Merge adds edits to others of a file of the given size. The others are in order and do
// not overlap, as Merge returns them. Equal edits, such as two that import one package,
// are one. It reports false where two overlap.
func Merge(edits, more []Edit, size int) ([]Edit, bool) {
	merged := slices.Clone(edits)
	for _, e := range more {
		if slices.Contains(edits, e) {
			continue
		}
		if e.Start < 0 || e.Start > e.End || e.End > size {
			return nil, false
		}
		for _, other := range merged {
			// Statements and imports end lines, so that two may be inserted at one place.
			lines := strings.Contains(e.New, "\n") && strings.Contains(other.New, "\n")
			inserted := e.Start == e.End || other.Start == other.End
			if e.Start < other.End && other.Start < e.End || e.Start == other.Start && (e.End == other.End && !lines || !inserted) {
				return nil, false
			}
		}
		merged = append(merged, e)
	}
	// An insertion comes before the replacement that begins there.
	slices.SortStableFunc(merged, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	return merged, true
}

// Apply returns a file's text with the edits, which Merge has put in order, without
// imports that it no longer needs, and formatted if it was formatted before. All lines
// end as most lines did.
func Apply(before []byte, edits []Edit) ([]byte, error) {
	var text []byte
	at := 0
	for _, e := range edits {
		text = append(append(text, before[at:e.Start]...), e.New...)
		at = e.End
	}
	text = append(text, before[at:]...)
	windows := 2*bytes.Count(before, crlf) > bytes.Count(before, lf)
	if windows {
		before, text = bytes.ReplaceAll(before, crlf, lf), bytes.ReplaceAll(text, crlf, lf)
	}
	before, _ = bytes.CutPrefix(before, mark)
	text, marked := bytes.CutPrefix(text, mark)
	text, err := dropImports(before, text)
	if err != nil {
		return nil, err
	}
	if formatted, err := format.Source(before); err == nil && bytes.Equal(formatted, before) {
		if text, err = format.Source(text); err != nil {
			return nil, err
		}
	}
	if marked {
		text = append(bytes.Clone(mark), text...)
	}
	if windows {
		text = bytes.ReplaceAll(text, lf, crlf)
	}
	return text, nil
}

// dropImports removes the imports from after that only before uses.
func dropImports(before, after []byte) ([]byte, error) {
	used, err := parse(before)
	if err != nil {
		return nil, err
	}
	for {
		now, err := parse(after)
		if err != nil {
			return nil, fmt.Errorf("with the change it would not parse: %w", err)
		}
		spec := unneeded(used, now)
		if spec == nil {
			return after, nil
		}
		after = cut(now, after, spec)
	}
}

type parsed struct {
	fset *token.FileSet
	file *ast.File
	uses map[string]bool // names that the file does not declare itself
}

func parse(text []byte) (parsed, error) {
	p := parsed{fset: token.NewFileSet(), uses: map[string]bool{}}
	var err error
	if p.file, err = parser.ParseFile(p.fset, "", text, parser.ParseComments); err != nil {
		return p, err
	}
	for _, id := range p.file.Unresolved {
		p.uses[id.Name] = true
	}
	return p, nil
}

// unneeded returns an import of now whose name before used and now does not, or nil.
func unneeded(before, now parsed) *ast.ImportSpec {
	for _, spec := range now.file.Imports {
		if name := importName(spec); before.uses[name] && !now.uses[name] {
			return spec
		}
	}
	return nil
}

var major = regexp.MustCompile(`^v[0-9]+$`)

// importName returns the name by which a file refers to an import. Without a name
// of its own it is the last part of the path, or the one before a major version.
// Where a package has another name, before does not use this one.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	full, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
	if major.MatchString(path.Base(full)) {
		full = path.Dir(full)
	}
	return path.Base(full)
}

// cut removes an import, with its declaration if it is the only one there, and
// the line if nothing else stands on it.
func cut(p parsed, text []byte, spec *ast.ImportSpec) []byte {
	pos, end := spec.Pos(), spec.End()
	if spec.Comment != nil {
		end = spec.Comment.End()
	}
	if spec.Doc != nil {
		pos = spec.Doc.Pos()
	}
	for _, decl := range p.file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Pos() <= spec.Pos() && spec.End() <= gen.End() && len(gen.Specs) == 1 {
			pos, end = gen.Pos(), max(end, gen.End())
		}
	}
	from, to := p.fset.Position(pos).Offset, p.fset.Position(end).Offset
	begin := bytes.LastIndexByte(text[:from], '\n') + 1
	rest := bytes.IndexByte(text[to:], '\n')
	if rest >= 0 && strings.TrimSpace(string(text[begin:from])+string(text[to:to+rest])) == "" {
		from, to = begin, to+rest+1
	}
	return append(bytes.Clone(text[:from]), text[to:]...)
}
