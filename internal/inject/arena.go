package inject

import (
	_ "embed"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/txtar"
)

const (
	// ArenaModule is the module of package arena, and the package's path.
	ArenaModule = module + "/arena"
	// ArenaVersion is the version that a change of source requires.
	ArenaVersion = "v0.1.0"
	// ArenaLanguage is the oldest language version of a module that can require it.
	ArenaLanguage = "go1.26"
)

// arenaFiles are the files of package arena as a txtar archive: it is another module, whose
// files cannot be embedded here.
//
//go:embed arena.txtar
var arenaFiles []byte

// UsesArena reports whether a changed file imports package arena.
func UsesArena(texts map[string][]byte) bool {
	for file, text := range texts {
		if importsArena(file, text) {
			return true
		}
	}
	return false
}

func importsArena(file string, text []byte) bool {
	return filepath.Ext(file) == ".go" && strings.Contains(string(text), `"`+ArenaModule+`"`)
}

// LayArena lets changed files that import package arena be built before the user's module
// requires it: it adds the package beneath their module, under a path of that module, and
// drops the requirement from a changed go.mod. texts has the changed files by their absolute
// paths, and read returns the text of any file.
func LayArena(texts map[string][]byte, read func(file string) ([]byte, error)) error {
	added := map[string][]byte{}
	for file, text := range texts {
		switch {
		case text == nil:
		case filepath.Base(file) == "go.mod":
			without, err := withoutArena(file, text)
			if err != nil {
				return err
			}
			added[file] = without
		case importsArena(file, text):
			root, path, err := moduleOf(file, read)
			if err != nil {
				return err
			}
			moved := func(pkg string) string { return path + "/internal/heapwright" + strings.TrimPrefix(pkg, module) }
			for name, text := range layArena(root, moved) {
				added[name] = text
			}
			source, err := relocate(string(text), map[string]string{ArenaModule: moved(ArenaModule)})
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			added[file] = []byte(source)
		}
	}
	for file, text := range added {
		texts[file] = text
	}
	return nil
}

// layArena returns the files of package arena and of the packages that it imports, below
// the folder of a module.
func layArena(root string, moved func(string) string) map[string][]byte {
	archive := txtar.Parse(arenaFiles)
	paths := map[string]string{}
	for _, f := range archive.Files {
		pkg := path.Join(ArenaModule, path.Dir(f.Name))
		paths[pkg] = moved(pkg)
	}
	files := map[string][]byte{}
	for _, f := range archive.Files {
		source, err := relocate(string(f.Data), paths)
		if err != nil {
			panic(fmt.Sprintf("inject: arena.txtar: %v", err)) // a test parses all of it
		}
		name := filepath.Join(root, "internal", "heapwright", "arena", filepath.FromSlash(f.Name))
		files[name] = []byte(source)
	}
	return files
}

// moduleOf returns the folder and the path of the module around a file.
func moduleOf(file string, read func(string) ([]byte, error)) (root, path string, err error) {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		text, err := read(filepath.Join(dir, "go.mod"))
		if err == nil {
			if path := modfile.ModulePath(text); path != "" {
				return dir, path, nil
			}
			return "", "", fmt.Errorf("%s names no module", filepath.Join(dir, "go.mod"))
		}
		if dir == filepath.Dir(dir) {
			return "", "", fmt.Errorf("%s is in no module: there is no go.mod above it", file)
		}
	}
}

func withoutArena(file string, text []byte) ([]byte, error) {
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		return nil, err
	}
	if err := mod.DropRequire(ArenaModule); err != nil {
		return nil, err
	}
	mod.Cleanup()
	return mod.Format()
}
