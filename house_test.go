// Package heapwright holds the house rules, as tests.
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

// layers from the top down. A package may import the packages on the lines below
// its own, and its own subpackages. A new package needs a place here.
var layers = [][]string{
	{"cmd/heapwright", "deploy/prcomment", "internal/pictures", "internal/published"},
	{"internal/browsertest"}, // tests only: it opens the pages of the packages below
	{"internal/cli"},
	{"internal/mcp"},
	{"internal/fix", "internal/serve", "internal/tune"},
	{"internal/diagnose", "internal/report"},
	{"internal/aa", "internal/gate", "internal/lengths", "internal/price", "internal/vet"},
	{"internal/collect", "internal/doctor", "internal/experiment", "internal/rules"},
	{"internal/check", "internal/leak"},
	{"internal/evidence", "internal/flame"},
	{"internal/edit", "internal/release", "internal/survey", "internal/target"},
	{"internal/cost", "internal/flow", "internal/inject", "internal/lifetime", "internal/machine", "internal/trace"},
	{"internal/probe", "internal/result"},
	{"internal/config", "internal/load", "internal/mode", "internal/source", "internal/verdict"},
	{"internal/owner", "internal/patch", "internal/store", "internal/trust"},
	{"internal/profile"},
	{"internal/stats"},
	{"internal/sample"},
	{"workloads"}, // programs to be measured: they use only public packages
	{"workloads/program"},
	{"internal/input", "internal/markdown", "internal/process", "internal/webpage"},
	{"arena", "gctune", "internal/cgroup", "internal/format", "internal/overlay", "internal/resident", "internal/subprocess", "internal/suggest", "internal/termtext"},
}

// public modules import the standard library alone, their tests included, so
// that using them adds one line to a go.mod and two to its go.sum.
var public = []string{"arena", "gctune"}

// forbidden modules: peers are measured in bench/, linters run from tools/ and
// browsers from internal/browsertest/, each a module of its own.
var forbidden = []string{
	"github.com/KimMachineGun/automemlimit",
	"github.com/VictoriaMetrics/fastcache",
	"github.com/allegro/bigcache",
	"github.com/bytedance/gopkg",
	"github.com/chromedp/chromedp",
	"github.com/coocood/freecache",
	"github.com/couchbase/go-slab",
	"github.com/dgraph-io/ristretto",
	"github.com/hashicorp/golang-lru",
	"github.com/joetifa2003/mm-go",
	"github.com/ortuman/nuke",
	"github.com/valyala/bytebufferpool",
	"golang.org/x/benchmarks",
	"honnef.co/go/tools",
}

// maxLines is where a file stops being one thing. The median is near 75.
const maxLines = 500

// source is a text file of the repository.
type source struct {
	path   string // slash-separated, from the root
	text   string
	module string    // folder of its module, "." for the root's
	syntax *ast.File // imports and package comment of a Go file
}

// tree returns all text files that people write, read once.
var tree = sync.OnceValues(func() ([]source, error) {
	var all []source
	modules := []string{"."}
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
		for _, m := range modules { // a module comes after the one around it
			if m == "." || strings.HasPrefix(name, m+"/") {
				s.module = m
			}
		}
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

func anyFile(source) bool  { return true }
func goFile(s source) bool { return s.syntax != nil }

// layered files are those of the modules in docs/architecture.md's layers.
func layered(s source) bool {
	house := []string{".", "arena", "arena/arenatest", "gctune", "workloads", "internal/browsertest"}
	return s.syntax != nil && slices.Contains(house, s.module) && path.Dir(s.path) != "."
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.syntax.Imports {
		p, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		paths = append(paths, p)
	}
	return paths
}

// house returns the entry of layers that a package belongs to, and its line: the
// longest that fits.
func house(pkg string) (entry string, layer int) {
	layer = -1
	for i, line := range layers {
		for _, e := range line {
			if (pkg == e || strings.HasPrefix(pkg, e+"/")) && len(e) > len(entry) {
				entry, layer = e, i
			}
		}
	}
	return entry, layer
}

func TestImportsRunDownward(t *testing.T) {
	for _, s := range sources(t, layered) {
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

func TestPublicModulesUseOnlyTheStandardLibrary(t *testing.T) {
	for _, m := range public {
		mod, err := os.ReadFile(m + "/go.mod")
		if err != nil {
			t.Fatal(err)
		}
		if want := "module " + module + "/" + m + "\n\ngo 1.26\n"; string(mod) != want {
			t.Errorf("%s/go.mod: %q, want %q and nothing else", m, mod, want)
		}
		if _, err := os.Stat(m + "/go.sum"); err == nil {
			t.Errorf("%s/go.sum: the module needs none", m)
		}
	}
	for _, s := range sources(t, layered) {
		if !slices.Contains(public, s.module) {
			continue
		}
		for _, p := range s.imports() {
			first, _, _ := strings.Cut(p, "/")
			own := module + "/" + s.module
			if strings.Contains(first, ".") && p != own && !strings.HasPrefix(p, own+"/") {
				t.Errorf("%s: imports %s", s.path, p)
			}
		}
	}
}

// Made profiles have no place in the binary.
func TestOnlyTestsImportProfiletest(t *testing.T) {
	for _, s := range sources(t, goFile) {
		if !s.isTest() && slices.Contains(s.imports(), module+"/internal/profile/profiletest") {
			t.Errorf("%s: imports internal/profile/profiletest", s.path)
		}
	}
}

func TestGoMod(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^go 1\.26\.0$`).Match(mod) {
		t.Error(`go.mod: the language version must be "go 1.26.0", as golang.org/x/tools requires`)
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

// A target answers for itself by its facts, so that a further kind needs no edit
// elsewhere. Making one is fine.
func TestNobodyAsksForTheKindOfATarget(t *testing.T) {
	recorded, err := os.ReadFile("internal/target/recorded.go")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, m := range regexp.MustCompile(`return new\((\w+)\)`).FindAllStringSubmatch(string(recorded), -1) {
		kinds = append(kinds, m[1])
	}
	if len(kinds) < 3 {
		t.Fatalf("internal/target/recorded.go lists only the kinds %q", kinds)
	}
	asked := regexp.MustCompile(`\.\(\*?(target\.)?(` + strings.Join(kinds, "|") + `)\)|case \*target\.`)
	for _, s := range sources(t, layered) {
		if own, _ := house(path.Dir(s.path)); own != "internal/target" && !strings.Contains(s.text, module+"/internal/target\"") {
			continue
		}
		for i, line := range strings.Split(s.text, "\n") {
			if asked.MatchString(line) {
				t.Errorf("%s:%d: %s", s.path, i+1, strings.TrimSpace(line))
			}
		}
	}
}

// The command line is flags in, exit code out. A program that it ran, and a
// figure that it rounded, would be work done there.
func TestTheCommandLineDoesNoWork(t *testing.T) {
	inCLI := func(s source) bool { return s.syntax != nil && path.Dir(s.path) == "internal/cli" && !s.isTest() }
	rounded := regexp.MustCompile(`%[-+ #0-9]*\.[0-9*]*[a-zA-Z]`)
	shared := []string{"cli", "completion", "exit", "flags", "config", "help", "interrupt", "load", "loadspec", "remote", "section", "stdin", "target", "version"} // the other files are commands
	for _, s := range sources(t, inCLI) {
		name := strings.TrimSuffix(path.Base(s.path), ".go")
		for _, p := range s.imports() {
			formats := slices.Contains([]string{"encoding", "html", "text"}, strings.Split(p, "/")[0]) && name != "help" // that prints the help
			if p == "os/exec" || formats || p == module+"/internal/format" {
				t.Errorf("%s: imports %s", s.path, p)
			}
		}
		for _, verb := range rounded.FindAllString(s.text, -1) {
			t.Errorf("%s: rounds a figure by %s, which is for a view", s.path, verb)
		}
		if strings.Contains(s.text, "fmt.Fprintf(env.Stdout") {
			t.Errorf("%s: writes results, which is for a view", s.path)
		}
		commands := regexp.MustCompile(`(?m)^var (\w+)Command = command\{`).FindAllStringSubmatch(s.text, -1)
		if isShared := slices.Contains(shared, name); isShared != (len(commands) == 0) || !isShared && (len(commands) > 1 || commands[0][1] != name) {
			t.Errorf("%s: holds the commands %q; each has a file of its own, named for it", s.path, commands)
		}
	}
}

// writers are the packages that write figures for people. The first line holds
// the views. The JSON of the others carries sentences with figures: doubts,
// reasons and remedies.
var writers = []string{
	"internal/aa/view", "internal/cli", "internal/collect", "internal/diagnose/view", "internal/fix/view", "internal/flame", "internal/gate/view", "internal/mcp", "internal/mode/view", "internal/report", "internal/report/plot", "internal/serve/view", "internal/trace/view", "internal/tune/view", "internal/vet/view",
	"internal/diagnose", "internal/doctor", "internal/experiment", "internal/fix", "internal/leak", "internal/load", "internal/rules", "internal/rules/finding", "internal/serve", "internal/target", "internal/tune", "internal/verdict", "internal/vet/weight",
}

func TestOtherPackagesReturnFacts(t *testing.T) {
	for _, s := range sources(t, layered) {
		if slices.Contains(writers, path.Dir(s.path)) || s.isTest() || s.module != "." {
			continue
		}
		for _, p := range s.imports() {
			if p == "text/tabwriter" || p == module+"/internal/format" {
				t.Errorf("%s: imports %s: return the facts and let a view write them", s.path, p)
			}
		}
	}
}

// Every module is in the repository's workspace or has one of its own. So a
// command of the documents finds its packages without a GOWORK, and go test work
// misses no module that has none.
func TestEveryModuleIsInAWorkspace(t *testing.T) {
	work, err := os.ReadFile("go.work")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources(t, func(s source) bool { return path.Base(s.path) == "go.mod" }) {
		dir := path.Dir(s.path)
		_, err := os.Stat(dir + "/go.work")
		if used := strings.Contains(string(work), "\n\t./"+dir+"\n"); dir != "." && used != (err != nil) {
			t.Errorf("%s: its module is in go.work: %v; it has a go.work of its own: %v; want one of the two", s.path, used, err == nil)
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

// anchors returns the fragments that links into a page may have, by GitHub's
// rule: lower case, no punctuation, spaces to hyphens.
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

// The README's first commands must work on a fresh machine. CI runs the same test
// command, without its vet, because CI has vetted more before.
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
	tests := strings.ReplaceAll(string(ci), "go test -vet=off ", "go test ")
	if strings.Contains(test, "\n") || !regexp.MustCompile(`(?m)\b`+regexp.QuoteMeta(test)+`$`).MatchString(tests) {
		t.Errorf(".ci/run does not run the README's test command, %q", test)
	}
}
