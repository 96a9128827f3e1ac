package probe

import (
	_ "embed"
	"io/fs"
	"path"
	"strings"

	"github.com/heapwright/heapwright/gctune"
)

//go:embed tuned/tuned.go
var tunedSource string

//go:embed ballast/ballast.go
var ballastSource string

const module = "github.com/heapwright/heapwright"

// tunerLanguage is the language version of gctune's files. A module may keep to an
// older one; since Go 1.21 a file may say that it does not.
const tunerLanguage = "go1.24"

// inLanguage returns a source that says so, beside its constraints on systems.
func inLanguage(source string) string {
	const build = "//go:build "
	if rest, ok := strings.CutPrefix(source, build); ok {
		system, rest, _ := strings.Cut(rest, "\n")
		return build + "(" + system + ") && " + tunerLanguage + "\n" + rest
	}
	return build + tunerLanguage + "\n\n" + source
}

// Tuner is the injection of gctune, set by the environment variables of
// gctune/auto. It goes with Dumps, whose dump then tells the tuner's settings, and
// needs Go 1.24.
func Tuner() Injection {
	in := Injection{Name: "tuner", Files: map[string]string{"start": inLanguage(tunedSource)}, Packages: map[string]map[string]string{}}
	files, _ := fs.Glob(gctune.Source, "*.go") // the pattern is well formed
	more, _ := fs.Glob(gctune.Source, "*/*.go")
	for _, file := range append(files, more...) {
		if strings.HasSuffix(file, "_test.go") || file == "source.go" { // which embeds the others
			continue
		}
		text, _ := gctune.Source.ReadFile(file) // embedded, so there
		pkg := path.Join(module, "gctune", path.Dir(file))
		if in.Packages[pkg] == nil {
			in.Packages[pkg] = map[string]string{}
		}
		in.Packages[pkg][path.Base(file)] = inLanguage(string(text))
	}
	return in
}

// Ballast is the injection of a memory ballast of HEAPWRIGHT_BALLAST bytes. It
// goes with Dumps, whose dump then tells how large it is.
func Ballast() Injection {
	return Injection{Name: "ballast", Files: map[string]string{"slice": ballastSource}}
}
