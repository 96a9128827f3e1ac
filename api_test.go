package heapwright

import (
	"bytes"
	"flag"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the listings in api")

// published are the modules with an API that other modules may use.
var published = []string{"arena", "arena/arenagrpc", "arena/arenajson", "arena/arenapb", "gctune", "gctune/gctuneotel", "gctune/gctuneprom"}

// Every change of the exported API changes its listing too, so it is deliberate.
func TestAPI(t *testing.T) {
	if exported := exportedOf(t, "."); len(exported) != 0 {
		t.Errorf("the module of the command exports %q", exported)
	}
	for _, module := range published {
		name := "api/" + strings.ReplaceAll(module, "/", "-") + ".txt"
		got := []byte(strings.Join(exportedOf(t, module), "\n") + "\n")
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if want, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not the API of %s (%v): if you mean the change, run go test . -run TestAPI -update, and read the difference", name, module, err)
		}
	}
}

// exportedOf returns the exported declarations of a module on Linux, without comments
// and bodies, sorted, each after its package.
func exportedOf(t *testing.T, module string) (all []string) {
	system := build.Default
	system.GOOS, system.GOARCH = "linux", "amd64"
	for _, s := range sources(t, goFile) {
		built, err := system.MatchFile(path.Dir(s.path), path.Base(s.path))
		if err != nil {
			t.Fatal(err)
		}
		if s.module != module || s.isTest() || !built || s.syntax.Name.Name == "main" || slices.Contains(strings.Split(s.path, "/"), "internal") {
			continue
		}
		positions := token.NewFileSet()
		f, err := parser.ParseFile(positions, s.path, s.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(f)
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if f.Body = nil; f.Recv != nil && !exportedReceiver(f.Recv.List[0].Type) {
					continue
				}
			} else if d := d.(*ast.GenDecl); d.Tok == token.IMPORT {
				continue
			} else if d.Tok == token.VAR {
				for _, v := range d.Specs {
					v.(*ast.ValueSpec).Values = nil
				}
			}
			var text bytes.Buffer
			if err := format.Node(&text, positions, d); err != nil {
				t.Fatal(err)
			}
			all = append(all, path.Dir(s.path)+": "+text.String())
		}
	}
	slices.Sort(all)
	return all
}

func exportedReceiver(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return exportedReceiver(e.X)
	case *ast.IndexExpr:
		return exportedReceiver(e.X)
	case *ast.IndexListExpr:
		return exportedReceiver(e.X)
	case *ast.Ident:
		return e.IsExported()
	}
	return false
}
