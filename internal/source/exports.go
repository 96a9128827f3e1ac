package source

import (
	"cmp"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"

	"github.com/heapwright/heapwright/internal/owner"
)

// Importer returns an importer of the packages that were built, by their export data. It has
// others of the standard library built. Imports are the import paths of one package as
// written → as built, where they differ.
func (x *Index) Importer(fset *token.FileSet, imports map[string]string) types.Importer {
	return importerOf(fset, func(path string) string {
		if x.exports[path] == "" && owner.OfStandard(path) {
			x.exports[path] = x.export(path)
		}
		return x.exports[path]
	}, imports)
}

func importerOf(fset *token.FileSet, exports func(path string) string, imports map[string]string) types.Importer {
	return recovering{importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		path = cmp.Or(imports[path], path)
		file := exports(path)
		if file == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(file)
	})}
}

// errNewer is in the error of export data that a newer Go wrote than the one that
// this program is built with.
var errNewer = errors.New("export data of a newer Go")

// recovering is an importer that returns an error where go/importer panics: at
// export data of a newer format.
type recovering struct{ types.Importer }

func (c recovering) Import(path string) (p *types.Package, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			p, err = nil, fmt.Errorf("%w: %v", errNewer, problem)
		}
	}()
	return c.Importer.Import(path)
}
