package source

import (
	"path"
	"strings"
)

// Versioned reports whether a path has an element like "chi@v5.0.1", which
// -trimpath leaves of the module cache.
func Versioned(file string) bool {
	i := strings.Index(file, "@v")
	return i > 0 && i+2 < len(file) && '0' <= file[i+2] && file[i+2] <= '9'
}

// OfModule cuts the module cache's folder off, wherever GOMODCACHE is: a module's
// path begins with a host, the first element with a dot before the version, and
// has capitals written as "!x" (golang.org/x/mod/module, EscapePath).
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

// packageAt is packageOf for a function of a file. An inlined closure is named for
// the function that it was inlined in: where that is of the program's own but the
// file is of a dependency, the closure's package is the file's.
func (x *Index) packageAt(function, file string) string {
	pkg := packageOf(function)
	if _, own := x.module(strings.TrimSuffix(pkg, "_test")); !own && pkg != "main" {
		return pkg
	}
	file = strings.ReplaceAll(file, `\`, "/")
	folder := ""
	if i := strings.LastIndex(file, "/vendor/"); i >= 0 {
		folder = path.Dir(file[i+len("/vendor/"):])
	} else if Versioned(file) {
		module, rest, _ := strings.Cut(OfModule(file), "@")
		_, rest, _ = strings.Cut(rest, "/")
		folder = path.Dir(module + "/" + rest)
	}
	if _, own := x.module(folder); folder == "" || own {
		return pkg
	}
	return folder
}

// Standard reports whether a package is of the standard library, by the first
// element of its import path.
func Standard(pkg string) bool {
	head, _, _ := strings.Cut(pkg, "/")
	return standard[head]
}

// standard holds the first elements of the standard library's import paths (go
// list std, Go 1.27). Those of other modules have a dot, or are the program's own.
var standard = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`archive arena bufio bytes cmp compress container context crypto database debug
		embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path
		plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time unicode
		unique unsafe uuid vendor weak`) {
		all[name] = true
	}
	return all
}()
