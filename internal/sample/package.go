package sample

import (
	"regexp"
	"strings"
)

// PackageName returns the name by which people know a package: the last element of its
// path, without the version of its module. Only from v2 on does a module's path have its
// version (go.dev/ref/mod); a package v1 is named so.
func PackageName(importPath string) string {
	importPath = version.ReplaceAllString(importPath, "$1$2")
	return importPath[strings.LastIndexByte(importPath, '/')+1:]
}

var version = regexp.MustCompile(`^(.+)/v(?:[2-9]|[1-9][0-9]+)$|^(gopkg\.in/.+)\.v[0-9]+$`)
