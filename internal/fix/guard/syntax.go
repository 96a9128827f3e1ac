package guard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// file is a Go file before and after.
type file struct {
	name       string
	old, edits *ast.File
}

// parse judges the syntax of the changed Go files.
func (p *proposal) parse() error {
	fset := token.NewFileSet()
	for _, name := range slices.Sorted(maps.Keys(p.after)) {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue // a user has allowed it
		}
		where := p.below(name)
		text := p.before[name]
		if text == nil { // a new file
			text = []byte("package p\n")
		}
		old, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		edits, err := parser.ParseFile(fset, name, p.after[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			p.refuse("types", where, strings.ReplaceAll(err.Error(), name+":", "line "))
			continue
		}
		if ast.IsGenerated(old) || ast.IsGenerated(edits) {
			p.refuse("generated", where, "it is generated; change its generator")
		}
		if !slices.Equal(constraints(old), constraints(edits)) {
			p.refuse("constraint", where, "its build constraints change")
		}
		known := count(directives(old))
		for _, d := range directives(edits) {
			if known[d]--; known[d] < 0 {
				p.refuse(ruleOf(d), where, d)
			}
		}
		p.judgeImports(where, old, edits)
		for _, d := range edits.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil && !hasBodyless(old, f.Name.Name) {
				p.refuse("linkname", where, "func "+f.Name.Name+" has no body")
			}
		}
		p.files = append(p.files, file{name, old, edits})
	}
	return nil
}

func hasBodyless(f *ast.File, name string) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Body == nil && fn.Name.Name == name
	})
}

func count[T comparable](all []T) map[T]int {
	n := map[T]int{}
	for _, x := range all {
		n[x]++
	}
	return n
}

// constraints returns the lines before the package clause that select builds.
func constraints(f *ast.File) (lines []string) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			text := strings.ReplaceAll(c.Text, "// +", "//+")
			if c.Pos() < f.Package && (strings.HasPrefix(text, "//go:build") || strings.HasPrefix(text, "//+build")) {
				lines = append(lines, strings.TrimSpace(c.Text))
			}
		}
	}
	return lines
}

// directives returns the comments that speak to the toolchain, but for constraints.
func directives(f *ast.File) (lines []string) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			text := strings.TrimSpace(c.Text)
			for _, prefix := range []string{"//go:", "//line ", "/*line ", "//export ", "//extern ", "//cgo:"} {
				if strings.HasPrefix(text, prefix) && !strings.HasPrefix(text, "//go:build") {
					lines = append(lines, text)
				}
			}
		}
	}
	return lines
}

func ruleOf(directive string) string {
	for prefix, rule := range map[string]string{
		"//go:linkname": "linkname", "//go:embed": "embed", "//go:cgo": "cgo", "//export": "cgo", "//cgo:": "cgo",
	} {
		if strings.HasPrefix(directive, prefix) {
			return rule
		}
	}
	return "directive"
}

// dangerous are the import paths that reach out of the process or around the language; a
// slash at the end stands for all packages below.
var dangerous = []string{
	"os/exec", "os/signal", "net", "net/", "syscall", "syscall/", "plugin", "runtime/cgo", "golang.org/x/sys/",
	"golang.org/x/net/", "log/syslog", "crypto/tls", "expvar", "debug/",
}

// tuners are libraries that change settings of the runtime when they are imported.
var tuners = []string{
	"github.com/heapwright/heapwright/gctune", "github.com/KimMachineGun/automemlimit", "go.uber.org/automaxprocs",
}

// observers are packages for tests and profiles.
var observers = []string{"testing", "testing/", "runtime/pprof", "runtime/trace", "runtime/metrics", "runtime/coverage"}

func oneOf(path string, list []string) bool {
	return slices.ContainsFunc(list, func(l string) bool {
		return path == l || strings.HasPrefix(path, strings.TrimSuffix(l, "/")+"/") && strings.HasSuffix(l, "/")
	})
}

func imports(f *ast.File) (paths []string) {
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		paths = append(paths, path)
	}
	return paths
}

func (p *proposal) judgeImports(where string, old, edits *ast.File) {
	had := imports(old)
	if slices.Contains(had, "C") {
		p.refuse("cgo", where, "its comments may be C")
	}
	for _, path := range imports(edits) {
		tuner := slices.ContainsFunc(tuners, func(t string) bool { return path == t || strings.HasPrefix(path, t+"/") })
		switch {
		case slices.Contains(had, path):
		case path == "C":
			p.refuse("cgo", where, `import "C"`)
		case path == "unsafe":
			p.refuse("unsafe", where, "import "+path)
		case tuner:
			p.refuse("gc", where, "import "+path)
		case oneOf(path, observers):
			p.refuse("benchmark", where, "import "+path)
		case oneOf(path, dangerous):
			p.refuse("import", where, "import "+path)
		}
	}
}
