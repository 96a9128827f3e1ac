package inject

import (
	_ "embed"
	"path"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed tuned/tuned.go
var tunedSource string

// tunerFiles are the files of gctune and gctune/auto as a txtar archive: gctune is
// another module, whose files cannot be embedded here.
//
//go:embed tuner.txtar
var tunerFiles []byte

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
// gctune/auto. It goes with Dumps, whose dump then has the tuner's settings, and
// needs Go 1.24.
func Tuner() Source {
	in := Source{Name: "tuner", Files: map[string]string{"start": inLanguage(tunedSource)},
		Packages: map[string]map[string]string{}}
	for _, f := range txtar.Parse(tunerFiles).Files {
		pkg := path.Join(module, "gctune", path.Dir(f.Name))
		if in.Packages[pkg] == nil {
			in.Packages[pkg] = map[string]string{}
		}
		in.Packages[pkg][path.Base(f.Name)] = inLanguage(string(f.Data))
	}
	return in
}

// Ballast is the injection of a memory ballast of HEAPWRIGHT_BALLAST bytes. It
// goes with Dumps, whose dump then has its size.
func Ballast() Source {
	return Source{Name: "ballast", Files: map[string]string{"slice": ballastSource}}
}
