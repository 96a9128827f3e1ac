package profile

import (
	"path"
	"strings"
)

// FrameName returns the name of a frame's function, as go tool pprof does. A frame
// without symbols has the name of its binary or library, as in "[libc.so.6]".
func (d *Dict) FrameName(f Frame) string {
	if name := d.FunctionName(f.Function); name != "" {
		return name
	}
	file := d.Mapping(d.Location(f.Location).Mapping).File
	if file == "" {
		return "<unknown>"
	}
	return "[" + path.Base(file) + "]"
}

// PackageOf returns the import path in a Go symbol name:
// "gopkg.in/x%2ey.v1.(*T).M[go.shape.int]" is of gopkg.in/x.y.v1. Names of other
// languages have a package only as far as they look alike.
func PackageOf(function string) string {
	name, _, _ := strings.Cut(function, "[") // type arguments have slashes and dots of their own
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	return unescape.Replace(name[:slash+dot])
}

// unescape undoes the linker's escaping of the last element of an import path
// (cmd/internal/objabi.PathToPrefix).
var unescape = strings.NewReplacer("%2e", ".", "%22", `"`, "%25", "%")
