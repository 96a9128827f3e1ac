package source

import (
	"path"
	"strings"

	"github.com/heapwright/heapwright/internal/owner"
)

// OfModule returns the path of a file in the module cache from the module's path on. It
// need not know GOMODCACHE: a module's path begins with a host, which is the first element
// with a dot before the version. Capitals are written as "!x" (EscapePath in
// golang.org/x/mod/module).
func OfModule(file string) string {
	begin, elements := 0, strings.Split(file, "/")
	if i := strings.LastIndex(file[:strings.Index(file, "@v")], "/pkg/mod/"); i >= 0 {
		elements = strings.Split(file[i+len("/pkg/mod/"):], "/")
	} else {
		for i, e := range elements {
			if strings.Contains(e, "@v") {
				break
			}
			if strings.Contains(e, ".") && !strings.HasPrefix(e, ".") {
				begin = i
				break
			}
		}
	}
	var b strings.Builder
	capital := false
	for _, r := range strings.Join(elements[begin:], "/") {
		if r == '!' {
			capital = true
			continue
		}
		if capital && 'a' <= r && r <= 'z' {
			r += 'A' - 'a'
		}
		capital = false
		b.WriteRune(r)
	}
	return b.String()
}

// packageAt returns the package of a function in a file. The name of an inlined closure
// has the function into which it was inlined. If that is the program's own, but the file
// belongs to a dependency, the closure's package is the package of the file.
func (x *Index) packageAt(function, file string) string {
	pkg := packageOf(function)
	if _, own := x.module(strings.TrimSuffix(pkg, "_test")); !own && pkg != "main" {
		return pkg
	}
	file = strings.ReplaceAll(file, `\`, "/")
	folder := owner.Inlined(function, file)
	if i := strings.LastIndex(file, "/vendor/"); i >= 0 {
		folder = path.Dir(file[i+len("/vendor/"):])
	} else if owner.Versioned(file) {
		module, rest, _ := strings.Cut(OfModule(file), "@")
		_, rest, _ = strings.Cut(rest, "/")
		folder = path.Dir(module + "/" + rest)
	}
	if _, own := x.module(folder); folder == "" || own {
		return pkg
	}
	return folder
}
