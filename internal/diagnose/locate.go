package diagnose

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/source"
)

// location is the kind of a SOURCE of the command line.
type location int

const (
	unknown location = iota
	service
	file
	folder
	goPackage
)

// locate returns the kind of a source. A folder with Go files is a package. Package
// patterns are relative to the plan's folder, and files to the current one, so "." with
// -C is the package in that folder. A name that is neither may be an import path.
func (in *inputs) locate(ctx context.Context, name string) location {
	if isService(name) {
		return service
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.IsDir():
		return file
	case strings.Contains(name, "..."), hasGo(name), hasGo(filepath.Join(in.plan.Dir, name)):
		return goPackage
	case err == nil:
		return folder
	case source.IsPackage(ctx, source.Options{Dir: in.plan.Dir}, name):
		return goPackage
	}
	return unknown
}

func isService(name string) bool { return strings.Contains(name, "://") }

func hasGo(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return err == nil && len(files) > 0
}
