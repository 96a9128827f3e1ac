// Package inject adds source to a target by go build -overlay: the probe that dumps the
// metrics of the runtime, profiles, a ballast, gctune. No file of the target changes.
package inject

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/overlay"
)

// Package has the facts of a package that are needed to add to it. It has the fields of
// go list -json, which must have been asked with the toolchain, tags and environment of
// the build.
type Package struct {
	Dir          string
	ImportPath   string
	Name         string
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
}

// Kind is the kind of program that is built of a package.
type Kind int

const (
	Main Kind = iota // the command, by go build
	Test             // the test binary, by go test -c
)

// Source is source that is added to a package: the probe, or code that sets
// up memory before main. Every name that it declares or imports must be one
// that no target has.
type Source struct {
	Name  string            // begins the names of the files
	Files map[string]string // source by the rest of a file's name, "cpu_unix"
	// TestMain is the source of one more file, added to a test that has no
	// TestMain of its own; "" if there is none.
	TestMain string
	// Packages are whole packages that the files import: source by file name,
	// by the import path used. They become part of the target's module.
	Packages map[string]map[string]string
}

//go:embed injected/*.go
var injectedFiles embed.FS

// Dumps is the injection of the probe: with HEAPWRIGHT_PROBE=FILE in its
// environment the target writes a dump for ReadDump to FILE, and without it
// does nothing. HEAPWRIGHT_PROBE_ENV=A,B names variables that the dump shall
// show besides those that begin with GO.
func Dumps() Source {
	in := Source{Name: "probe", Files: map[string]string{}}
	entries, _ := injectedFiles.ReadDir("injected") // embedded, so there
	for _, e := range entries {
		source, _ := injectedFiles.ReadFile("injected/" + e.Name())
		in.Files[strings.TrimSuffix(e.Name(), ".go")] = string(source)
	}
	in.TestMain = in.Files["testmain"]
	delete(in.Files, "testmain")
	return in
}

// Into returns the overlay that adds the injections to a package. To a test
// they are added as files of the external test package, which may import
// anything without a cycle and shares few names with others.
//
// The vet that go test runs by itself does not see overlays in every version,
// so that such a build needs -vet=off. Into the standard library Go 1.20 sees
// them only with GODEBUG=goindex=0. From Go 1.25 on the go command refuses
// overlays beneath GOMODCACHE: give it a copy of a dependency there. The
// standard library of a toolchain that it downloaded has to go without.
func Into(pkg Package, kind Kind, injections ...Source) (overlay.Files, error) {
	name, suffix := pkg.Name, ".go"
	neighbours := append(append([]string(nil), pkg.GoFiles...), pkg.CgoFiles...)
	switch {
	case kind == Test:
		name, suffix = strings.TrimSuffix(name, "_test")+"_test", "_test.go"
		neighbours = pkg.XTestGoFiles
	case name != "main":
		return nil, fmt.Errorf("inject into %s: package %s is no command; build a main package", pkg.Dir, name)
	}
	// The files become neighbours of these, so rename must know what these declare. A test may
	// have a TestMain of its own in either package.
	declared, err := declarations(pkg.Dir, neighbours)
	if err != nil {
		return nil, err
	}
	hasTestMain := true
	if kind == Test {
		inside, err := declarations(pkg.Dir, pkg.TestGoFiles)
		if err != nil {
			return nil, err
		}
		hasTestMain = inside["TestMain"] || declared["TestMain"]
	}

	files := overlay.Files{}
	for _, in := range injections {
		// The packages go first: the imports of the other files lead to their new places.
		moved, err := in.places(pkg)
		if err == nil {
			err = in.layPackages(pkg, moved, files)
		}
		if err != nil {
			return nil, err
		}
		add := func(part, source string) error {
			source, err := relocate(source, moved)
			if err != nil {
				return fmt.Errorf("inject %s into %s: %w", in.Name, pkg.Dir, err)
			}
			text, err := rename(source, name, declared)
			if err != nil {
				return fmt.Errorf("inject %s into %s: %w", in.Name, pkg.Dir, err)
			}
			file := filepath.Join(pkg.Dir, "heapwright_"+in.Name+"_"+part+suffix)
			return files.Merge(overlay.Files{file: text})
		}
		for part, source := range in.Files {
			if err := add(part, source); err != nil {
				return nil, err
			}
		}
		if in.TestMain != "" && !hasTestMain {
			if err := add("testmain", in.TestMain); err != nil {
				return nil, err
			}
			hasTestMain = true
		}
	}
	return files, nil
}

// declarations returns the names that files of a package declare outside of
// functions.
func declarations(dir string, files []string) (map[string]bool, error) {
	names := map[string]bool{}
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, f), nil, 0)
		if os.IsNotExist(err) {
			continue // it is itself in an overlay
		}
		if err != nil {
			return nil, fmt.Errorf("inject into %s: %w; make the package compile first", dir, err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names[n.Name] = true
						}
					}
				}
			}
		}
	}
	return names, nil
}

// rename returns the source with another package name. It refuses a source
// that uses a name of the language to which the package gives a meaning of its
// own.
func rename(source, name string, declared map[string]bool) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, 0)
	if err != nil {
		return nil, err
	}
	for _, id := range file.Unresolved {
		if declared[id.Name] {
			return nil, fmt.Errorf("the package declares its own %q; rename that, or go without", id.Name)
		}
	}
	at := fset.Position(file.Name.Pos()).Offset
	return []byte(source[:at] + name + source[at+len(file.Name.Name):]), nil
}
