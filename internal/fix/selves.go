package fix

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/patch"
)

// A function with plain inputs and outputs is run beside its old self, on inputs that no test
// may have. The old one becomes a function of the package under another name, in a test file
// that is there for this step only. Generated inputs must not do harm, so only functions are
// run from which nothing can be reached but the package and a few packages of the standard
// library that compute.

//go:embed selves.go.txt
var selvesTest string

const (
	selvesFile = "heapwright_selves_test.go"
	// selvesTime is far above the two seconds for each function, of which a change has few.
	selvesTime = 2 * time.Minute
)

// harmless are the packages of the standard library that a function may reach: none touches
// the system.
var harmless = map[string]bool{
	"bytes": true, "cmp": true, "encoding/base64": true, "encoding/binary": true, "encoding/hex": true, "errors": true,
	"fmt": true, "html": true, "iter": true, "maps": true, "math": true, "math/big": true, "math/bits": true,
	"path": true, "regexp": true, "slices": true, "sort": true, "strconv": true, "strings": true, "sync": true,
	"unicode": true, "unicode/utf16": true, "unicode/utf8": true,
}

// besideOld runs the functions that the change's texts change, which are in the copy, beside
// their old selves. The step has no command if there is none that can be run.
func (w *workTree) besideOld(ctx context.Context, texts map[string][]byte) (s Step, err error) {
	s.Passed = true
	for _, dir := range folders(texts) {
		test, names := w.selves(dir, texts)
		if test == nil {
			continue
		}
		file := filepath.Join(dir, selvesFile)
		if err := w.write(map[string][]byte{file: test}); err != nil {
			return s, err
		}
		args := []string{"test", "-count=1", "-run=^TestHeapwrightSelves$", dir}
		ran, output := w.runOutput(ctx, selvesTime, "beside the old", args...)
		if err := os.Remove(file); err != nil {
			return s, err
		}
		ran.Command = strings.ReplaceAll(ran.Command, dir, "./"+filepath.Base(dir))
		ran.Output = strings.Join(names, ", ")
		ran.Seconds += s.Seconds
		if m := differs.FindStringSubmatch(output); m != nil {
			ran.Output = m[1]
			return ran, nil
		}
		if ran.Passed { // other failures are about the test's file or an input that takes too long
			s = ran
		}
	}
	return s, nil
}

// differs matches the line of a function that is not like its old self.
var differs = regexp.MustCompile(`HEAPWRIGHT (.*)`)

// folders returns the folders of files, in their order.
func folders(texts map[string][]byte) (all []string) {
	for _, file := range sorted(texts) {
		if dir := filepath.Dir(file); !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

// selves returns a test that runs the changed functions of a folder beside their old selves,
// and the functions' names; nil if there are none.
func (w *workTree) selves(dir string, texts map[string][]byte) (test []byte, names []string) {
	p := readScope(w.original(dir))
	var functions, old strings.Builder
	imports, pkg := map[string]string{}, ""
	for _, file := range sorted(texts) {
		if filepath.Dir(file) != dir || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := patch.Read(w.original(file))
		if err != nil {
			continue // a new file
		}
		fset := token.NewFileSet()
		before, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		after := bodies(texts[file])
		for _, decl := range before.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !plain(f) {
				continue
			}
			name := f.Name.Name
			now, kept := after[name]
			if !kept || now == printed(fset, f) || !p.harmless(name) {
				continue
			}
			texts, numbers := literals(f)
			for alias, path := range importsOf(before) {
				if uses(f, alias) {
					imports[alias] = path
				}
			}
			rename(f, name, "heapwrightOld"+name)
			fmt.Fprintf(&functions, "\t\t{%q, heapwrightOld%s, %[2]s, %#v, %#v},\n", name, name, texts, numbers)
			fmt.Fprintf(&old, "\n%s\n", printed(fset, f))
			pkg, names = before.Name.Name, append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	var lines strings.Builder
	for _, alias := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&lines, "\t%s %q\n", alias, imports[alias])
	}
	r := strings.NewReplacer("PACKAGE", pkg, "IMPORTS", lines.String(), "FUNCTIONS", functions.String())
	return []byte(r.Replace(selvesTest) + old.String()), names
}

func printed(fset *token.FileSet, n ast.Node) string {
	var out bytes.Buffer
	if err := format.Node(&out, fset, n); err != nil {
		return ""
	}
	return out.String()
}

// bodies returns the functions of a file by their names, as they are printed.
func bodies(text []byte) map[string]string {
	all := map[string]string{}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return all
	}
	for _, decl := range f.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && plain(f) {
			all[f.Name.Name] = printed(fset, f)
		}
	}
	return all
}

// plain reports whether a declaration is a function whose inputs can be made and whose
// results can be compared.
func plain(f *ast.FuncDecl) bool {
	if f.Recv != nil || f.Type.TypeParams != nil || f.Body == nil || f.Type.Results == nil || f.Name.Name == "init" {
		return false
	}
	f.Doc = nil
	for _, p := range f.Type.Params.List {
		if !plainType(p.Type) {
			return false
		}
	}
	for _, r := range f.Type.Results.List {
		if id, ok := r.Type.(*ast.Ident); !plainType(r.Type) && !(ok && id.Name == "error") {
			return false
		}
	}
	return len(f.Type.Params.List) > 0
}

var basic = regexp.MustCompile(`^(bool|string|byte|rune|u?int(8|16|32|64)?|float(32|64))$`)

func plainType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return basic.MatchString(e.Name)
	case *ast.ArrayType:
		return e.Len == nil && plainType(e.Elt)
	case *ast.Ellipsis:
		return plainType(e.Elt)
	}
	return false
}

// literals returns the texts and small numbers that a function mentions, and usual ones: with
// them, inputs reach its branches.
func literals(f *ast.FuncDecl) (texts []string, numbers []int64) {
	texts = []string{"", " ", "a", "Zz", "0", "17", ",", ".", "-", "/", "\n", "é", "\u2028", "\xff"}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok {
			return true
		}
		switch lit.Kind {
		case token.STRING, token.CHAR:
			if text, err := strconv.Unquote(lit.Value); err == nil {
				texts = append(texts, text)
			}
		case token.INT:
			if n, err := strconv.ParseInt(lit.Value, 0, 64); err == nil && n < 1<<12 {
				numbers = append(numbers, n)
			}
		}
		return true
	})
	return texts, numbers
}

// rename gives a function another name, in calls of itself, too.
func rename(f *ast.FuncDecl, old, name string) {
	selected := map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.Ident:
			if n.Name == old && !selected[n] {
				n.Name = name
			}
		}
		return true
	})
}
