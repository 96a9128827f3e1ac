package diagnose

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// names turns what profiles call files into what people call them, which is the
// same on every machine: own files relative to the module's folder, those of
// other modules as module@version/path, the standard library's as std/path.
type names struct {
	root   string // absolute
	source *source.Index
}

// relative makes the names of a document's files relative to the module that dir
// lies in, or without one to dir.
func (d *Document) relative(dir string, x *source.Index) {
	n := names{dir, x}
	if x != nil {
		n.root = x.Root()
	}
	if n.root == "" {
		return
	}
	d.Root = n.root
	for i := range d.Sites {
		n.frame(&d.Sites[i].Frame)
		d.Sites[i].Path = n.frames(d.Sites[i].Path)
	}
	n.findings(d.Findings)
}

func (n names) findings(all []Finding) {
	for i := range all {
		f := &all[i]
		f.File = n.of(f.Function, f.File)
		f.Path = n.frames(f.Path)
		for _, at := range []**Frame{&f.Change, &f.Root} {
			if *at != nil {
				other := **at
				n.frame(&other)
				*at = &other
			}
		}
		n.findings(f.Others)
	}
}

// frames returns other frames: findings and sites may share theirs.
func (n names) frames(all []Frame) []Frame {
	named := make([]Frame, len(all))
	for i, f := range all {
		n.frame(&f)
		named[i] = f
	}
	return named
}

func (n names) frame(f *Frame) { f.File = n.of(f.Function, f.File) }

func (n names) of(function, file string) string {
	if file == "" {
		return ""
	}
	slashed := strings.ReplaceAll(file, `\`, "/")
	pkg := profile.PackageOf(function)
	folder := path.Dir(slashed)
	switch {
	case standard[first(pkg)] && (folder == pkg || strings.HasSuffix(folder, "/src/"+pkg)):
		return "std/" + pkg + "/" + path.Base(slashed)
	case versioned(slashed):
		return ofModule(slashed)
	}
	local := n.source.Local(function, file)
	if local == "" {
		local = filepath.FromSlash(slashed)
	}
	if below, err := filepath.Rel(n.root, local); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return file
}

// ofModule cuts the module cache's folder off, wherever GOMODCACHE is: a module's
// path begins with a host, the first element with a dot before the version, and
// has capitals written as "!x" (golang.org/x/mod/module, EscapePath).
func ofModule(file string) string {
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
