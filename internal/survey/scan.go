package survey

import (
	"bytes"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
)

// source holds the findings in the files of one folder.
type source struct {
	main       bool
	imports    map[string]bool
	benchmarks int
	text       []byte // the text of all files that are no tests
	routes     []Route
}

// maxFile is larger than source and manifests that people write.
const maxFile = 4 << 20

var (
	benchmark = regexp.MustCompile(`(?m)^func Benchmark(?:[^a-z(]\w*)?\(\w+ \*testing\.B\)`)
	skipped   = regexp.MustCompile(`^([._].*|vendor|testdata|node_modules)$`)
)

// scan reads the files of the module, without modules within it.
func (m *Module) scan() (map[string]*source, error) {
	packages := map[string]*source{}
	err := filepath.WalkDir(m.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, module := os.Stat(filepath.Join(name, "go.mod"))
			if name != m.Root && (module == nil || skipped.MatchString(d.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
			return nil
		}
		rel, err := filepath.Rel(m.Root, name)
		if err != nil {
			return err
		}
		rel = "./" + filepath.ToSlash(rel)
		switch path.Ext(rel) {
		case ".go":
		case ".proto":
			return m.proto(name, rel)
		default:
			return m.manifest(name, rel)
		}
		dir := rel[:strings.LastIndex(rel, "/")]
		if packages[dir] == nil {
			packages[dir] = &source{imports: map[string]bool{}}
		}
		return m.file(packages[dir], name, rel)
	})
	return packages, err
}

// file adds a Go file to its package, if it is built here.
func (m *Module) file(p *source, name, rel string) error {
	if built, err := build.Default.MatchFile(filepath.Dir(name), filepath.Base(name)); err != nil || !built {
		return nil
	}
	text, err := input.ReadRegular(name, maxFile)
	if err != nil {
		return err
	}
	if strings.HasSuffix(name, "_test.go") {
		p.benchmarks += len(benchmark.FindAll(text, -1))
		return nil
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.ImportsOnly)
	if err != nil {
		return nil // the go command will say so
	}
	p.main = p.main || f.Name.Name == "main"
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		p.imports[imported] = true
		if imported == "net/http/pprof" {
			m.Pprof = append(m.Pprof, fmt.Sprintf("%s:%d", rel, set.Position(spec.Pos()).Line))
		}
	}
	if registersRoute.Match(text) {
		if f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution); err == nil {
			p.routes = append(p.routes, routesOf(f)...)
		}
	}
	p.text = append(append(p.text, bytes.TrimRight(text, "\n")...), '\n')
	return nil
}
