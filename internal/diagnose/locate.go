package diagnose

import (
	"os"
	"path/filepath"
	"strings"
)

// location is what a SOURCE of the command line is.
type location int

const (
	nowhere location = iota
	service
	file
	folder
	goPackage
)

// locate tells what a name means. A folder with Go files is a package; package
// patterns are relative to the plan's folder, files to the current one: "." with
// -C is the package there, even if something else is here.
func (in *inputs) locate(name string) location {
	if strings.Contains(name, "://") {
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
	}
	return nowhere
}

func hasGo(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return err == nil && len(files) > 0
}
