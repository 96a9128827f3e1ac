package inject

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/overlay"
)

// places returns where the packages of an injection are laid: beneath the
// target's own folder, so that they belong to its module, whatever that is,
// and that nobody else can import them. The import paths are by those that the
// injection's sources use.
func (in Source) places(target Package) (moved map[string]string, err error) {
	if len(in.Packages) == 0 {
		return nil, nil
	}
	if target.ImportPath == "" || target.ImportPath == "command-line-arguments" {
		return nil, fmt.Errorf(
			"inject %s into %s: the package has no import path; name it as a package, not by its files",
			in.Name, target.Dir)
	}
	moved = map[string]string{}
	for pkg := range in.Packages {
		moved[pkg] = target.ImportPath + "/internal/heapwright" + strings.TrimPrefix(pkg, module)
	}
	return moved, nil
}

// layPackages adds the packages of an injection to an overlay.
func (in Source) layPackages(target Package, moved map[string]string, o overlay.Files) error {
	for pkg, files := range in.Packages {
		dir := filepath.Join(target.Dir, filepath.FromSlash(strings.TrimPrefix(moved[pkg], target.ImportPath)))
		for _, name := range slices.Sorted(maps.Keys(files)) {
			text, err := relocate(files[name], moved)
			if err != nil {
				return fmt.Errorf("inject %s into %s: %w", in.Name, target.Dir, err)
			}
			if err := o.Merge(overlay.Files{filepath.Join(dir, name): []byte(text)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// relocate returns the source with the imports of moved packages changed to
// where they are now.
func relocate(source string, moved map[string]string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ImportsOnly)
	if err != nil {
		return "", err
	}
	for _, spec := range slices.Backward(file.Imports) {
		old, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		if to, ok := moved[old]; ok {
			at := fset.Position(spec.Path.Pos()).Offset
			source = source[:at] + strconv.Quote(to) + source[at+len(spec.Path.Value):]
		}
	}
	return source, nil
}
