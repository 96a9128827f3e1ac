package heapwright

// The rules of docs/architecture.md as tests. They read the source as text,
// whatever its build tags, so that code for another system is held to them too.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/heapwright/heapwright"

// layers from the top down. A package may import what stands on lines below
// its own, and its own subpackages. A new package needs a place here.
var layers = [][]string{
	{"cmd/heapwright", "workloads/claims"}, // the latter makes a page of reports
	{"internal/cli"},
	{"internal/collect", "internal/tune"},
	{"internal/aa", "internal/diagnose", "internal/report"},
	{"internal/experiment", "internal/flame"},
	{"internal/cost", "internal/gate", "internal/probe"},
	{"internal/result"},
	{"internal/load", "internal/mode", "internal/profile", "internal/source", "internal/verdict"},
	{"internal/stats"},
	{"internal/sample"},
	{"workloads"}, // programs to be measured: they use what every user can import
	{"arena", "gctune", "internal/memgroup", "internal/pagetest", "internal/plain", "internal/workload"},
}

// public packages import the standard library alone, so that using them adds
// nothing to anybody's go.mod.
var public = []string{"arena", "gctune"}

// forbidden modules: peers are measured in bench/ and linters run from tools/,
// each a module of its own.
var forbidden = []string{
	"github.com/KimMachineGun/automemlimit",
	"github.com/VictoriaMetrics/fastcache",
	"github.com/allegro/bigcache",
	"github.com/bytedance/gopkg",
	"github.com/coocood/freecache",
	"github.com/couchbase/go-slab",
	"github.com/dgraph-io/ristretto",
	"github.com/joetifa2003/mm-go",
	"github.com/ortuman/nuke",
	"golang.org/x/benchmarks",
	"honnef.co/go/tools",
}

// cures are modules that only workloads may import, although one of them is a
// peer of ours: workloads/leakygateway is cured with what people use for it.
var cures = []string{
	"github.com/hashicorp/golang-lru",
	"github.com/valyala/bytebufferpool",
}

// maxLines is where a file stops being one thing. The median is near 110.
const maxLines = 500

// source is a text file of the repository.
type source struct {
	path   string // slash-separated, from the root
	text   string
	nested bool      // belongs to a nested module
	syntax *ast.File // imports and package comment of a Go file
}

// tree returns all text files that people write, read once.
var tree = sync.OnceValues(func() ([]source, error) {
	var all []source
	var modules []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			if slices.Contains([]string{".git", "testdata", "heapwright-out"}, d.Name()) {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != "." {
				modules = append(modules, name)
			}
			return nil
		}
		ext := path.Ext(name)
		if !slices.Contains([]string{".go", ".md", ".sh", ".mod"}, ext) && !strings.HasPrefix(name, ".ci/") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		s := source{path: name, text: string(text)}
		s.nested = slices.ContainsFunc(modules, func(m string) bool { return strings.HasPrefix(name, m+"/") })
		if ext == ".go" {
			s.syntax, err = parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
		}
		all = append(all, s)
		return err
	})
	return all, err
})

// sources returns the files for which keep holds.
func sources(t *testing.T, keep func(source) bool) []source {
	t.Helper()
	all, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	var kept []source
	for _, s := range all {
		if keep(s) {
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		t.Fatal("no file found: run the test from the root of the repository")
	}
	return kept
}

func anyFile(source) bool      { return true }
func goFile(s source) bool     { return s.syntax != nil }
func moduleFile(s source) bool { return s.syntax != nil && !s.nested && path.Dir(s.path) != "." }

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.syntax.Imports {
		p, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		paths = append(paths, p)
	}
	return paths
}

// house returns the entry of layers that a package belongs to, and its line.
func house(pkg string) (entry string, layer int) {
	for i, line := range layers {
		for _, e := range line {
			if pkg == e || strings.HasPrefix(pkg, e+"/") {
				return e, i
			}
		}
	}
	return "", -1
}

func TestImportsRunDownward(t *testing.T) {
	for _, s := range sources(t, moduleFile) {
		pkg := path.Dir(s.path)
		from, above := house(pkg)
		if above < 0 {
			t.Errorf("%s: package %s has no place in the table of layers", s.path, pkg)
			continue
		}
		for _, p := range s.imports() {
			p, ours := strings.CutPrefix(p, module+"/")
			if !ours {
				continue
			}
			to, below := house(p)
			switch {
			case to == from && to != "workloads":
			case below <= above || to == "workloads":
				t.Errorf("%s: imports %s, which is not below it", s.path, p)
			}
		}
	}
}

func TestPublicPackagesUseOnlyTheStandardLibrary(t *testing.T) {
	for _, s := range sources(t, moduleFile) {
		own, _ := house(path.Dir(s.path))
		if s.isTest() || !slices.Contains(public, own) {
			continue
		}
		for _, p := range s.imports() {
			first, _, _ := strings.Cut(p, "/")
			inside := p == module+"/"+own || strings.HasPrefix(p, module+"/"+own+"/")
			if strings.Contains(first, ".") && !inside {
				t.Errorf("%s: imports %s", s.path, p)
			}
		}
	}
}

func TestGoMod(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^go 1\.26$`).Match(mod) {
		t.Error(`go.mod: the language version must be "go 1.26"`)
	}
	if line := regexp.MustCompile(`(?m)^(toolchain|tool|replace)\b.*`).Find(mod); line != nil {
		t.Errorf("go.mod: %q: not in the module that users build", line)
	}
	for _, m := range forbidden {
		if strings.Contains(string(mod), m) {
			t.Errorf("go.mod: requires %s", m)
		}
	}
}

func TestOnlyWorkloadsImportCures(t *testing.T) {
	for _, s := range sources(t, moduleFile) {
		if own, _ := house(path.Dir(s.path)); own == "workloads" {
			continue
		}
		for _, p := range s.imports() {
			if slices.ContainsFunc(cures, func(m string) bool { return p == m || strings.HasPrefix(p, m+"/") }) {
				t.Errorf("%s: imports %s", s.path, p)
			}
		}
	}
}

// A browser's driver has no place in the binary.
func TestOnlyTestsImportPagetest(t *testing.T) {
	for _, s := range sources(t, moduleFile) {
		if !s.isTest() && slices.Contains(s.imports(), module+"/internal/pagetest") {
			t.Errorf("%s: imports internal/pagetest", s.path)
		}
	}
}

func TestPackagesAreDocumented(t *testing.T) {
	names := map[string]string{}
	docs := map[string][]string{}
	for _, s := range sources(t, goFile) {
		dir := path.Dir(s.path)
		if s.isTest() && dir != "." {
			continue
		}
		names[dir] = s.syntax.Name.Name
		if s.syntax.Doc != nil {
			docs[dir] = append(docs[dir], s.syntax.Doc.Text())
		}
	}
	for dir, name := range names {
		switch doc := docs[dir]; {
		case len(doc) != 1:
			t.Errorf("%s: package %s has %d package comments, want one", dir, name, len(doc))
		case name != "main" && !strings.HasPrefix(doc[0], "Package "+name+" "):
			t.Errorf("%s: the comment does not begin with %q", dir, "Package "+name)
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	for _, s := range sources(t, goFile) {
		if n := strings.Count(s.text, "\n"); n > maxLines && !generated.MatchString(s.text) {
			t.Errorf("%s: %d lines, more than %d", s.path, n, maxLines)
		}
	}
}

func TestNamesSayWhatIsInside(t *testing.T) {
	empty := regexp.MustCompile(`(^|[/_.-])(utils?|common|helpers?|managers?|misc)([/_.-]|$)`)
	for _, s := range sources(t, goFile) {
		if word := empty.FindString(s.path); word != "" {
			t.Errorf("%s: %q says nothing about what is inside", s.path, strings.Trim(word, "/_.-"))
		}
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	leftovers := map[string]*regexp.Regexp{
		"an unfinished place": regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`),
		"a path of somebody's machine": regexp.MustCompile(
			`(^|[^\w.])(/(root|home|work|Users)/\w|[A-Z]:\\Users\\)`),
	}
	for _, s := range sources(t, anyFile) {
		for i, line := range strings.Split(s.text, "\n") {
			line = strings.ReplaceAll(line, "/home/gopher/", "") // the example in tests and docs
			for what, pattern := range leftovers {
				if pattern.MatchString(line) {
					t.Errorf("%s:%d: %s: %s", s.path, i+1, what, strings.TrimSpace(line))
				}
			}
		}
	}
}

var (
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
	code     = regexp.MustCompile("`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	unlinked = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// anchors returns what links into a page may end in, by GitHub's rule: lower
// case, no punctuation, spaces to hyphens.
func anchors(markdown string) []string {
	var all []string
	for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(markdown, ""), -1) {
		all = append(all, strings.ReplaceAll(unlinked.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
	}
	return all
}

func TestLinksResolve(t *testing.T) {
	markdown := func(s source) bool { return path.Ext(s.path) == ".md" }
	for _, s := range sources(t, markdown) {
		prose := code.ReplaceAllString(fence.ReplaceAllString(s.text, ""), "")
		for _, m := range link.FindAllStringSubmatch(prose, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := s.path
			if file != "" {
				target = path.Join(path.Dir(s.path), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: link to %s: there is no %s", s.path, m[1], target)
				continue
			}
			if anchor == "" {
				continue
			}
			page, err := os.ReadFile(target)
			if err != nil {
				t.Error(err)
			} else if !slices.Contains(anchors(string(page)), anchor) {
				t.Errorf("%s: link to %s: no such heading", s.path, m[1])
			}
		}
	}
}

// The README promises on its first screen what a fresh machine can do; CI runs
// the same test command.
func TestReadmeCommands(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)\n```$").FindAllStringSubmatch(string(readme), 2)
	if len(blocks) < 2 {
		t.Fatal("README.md: the first screen has two commands, each in a block of its own")
	}
	if !strings.HasPrefix(blocks[0][1], "go run ./cmd/heapwright ") {
		t.Errorf("README.md: the first command is %q, not the main job", blocks[0][1])
	}
	test := blocks[1][1]
	ci, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(test, "\n") || !regexp.MustCompile(`(?m)\b`+regexp.QuoteMeta(test)+`$`).Match(ci) {
		t.Errorf(".ci/run does not run the README's test command, %q", test)
	}
}
