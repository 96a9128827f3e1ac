package source

import (
	"slices"
	"strings"
)

// Package is a package of the program's own modules, and of those that are looked
// into like them, that the studied ones need, themselves included, as the go command listed it.
type Package struct {
	Path      string
	Name      string
	Files     []string          // absolute
	Ignored   []string          // absolute; Go files that this build leaves out
	Cgo       bool              // some files import "C"
	ImportMap map[string]string // import paths as written → as built, where they differ
}

// Packages returns the packages of the program's own modules, without packages of
// tests, once Study has returned.
func (x *Index) Packages() []Package {
	if x == nil {
		return nil
	}
	return x.packages
}

// keep notes the packages that the go command listed.
func (x *Index) keep(b build) {
	x.exports = b.exports
	seen := map[string]bool{}
	for _, p := range slices.Concat(b.packages, b.deps) {
		_, own := x.module(p.ImportPath)
		if seen[p.ImportPath] {
			continue
		}
		seen[p.ImportPath] = true
		builds := p.Error == nil && len(p.DepsErrors) == 0
		test := strings.Contains(p.ImportPath, " [") || strings.HasSuffix(p.ImportPath, ".test")
		if (own || x.included(p.ImportPath)) && builds && !test {
			x.packages = append(x.packages, Package{
				Path:      p.ImportPath,
				Name:      p.Name,
				Files:     p.files(),
				Ignored:   absolute(p.Dir, p.IgnoredGoFiles),
				Cgo:       len(p.CgoFiles) > 0,
				ImportMap: p.ImportMap,
			})
		}
	}
}
