package diagnose

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/source"
)

// names shortens the file names of profiles to names that are the same on every machine.
// The program's files are relative to the module's folder. Files of other modules become
// module@version/path, and files of the standard library std/path.
type names struct {
	root   string // absolute
	source *source.Index
}

// relative shortens the names of a document's files. They become relative to the module
// that contains dir, or to dir if there is no module.
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
	if d.CPU != nil {
		for _, w := range d.CPU.Work {
			if w.Place != nil {
				n.frame(w.Place)
			}
		}
	}
	n.findings(d.Findings)
	n.findings(d.Small)
}

func (n names) findings(all []rules.Finding) {
	for i := range all {
		f := &all[i]
		f.File = n.of(f.Function, f.File)
		f.Path = n.frames(f.Path)
		for _, at := range []**evidence.Frame{&f.Change, &f.Root} {
			if *at != nil {
				other := **at
				n.frame(&other)
				*at = &other
			}
		}
		for i := range f.Library {
			n.frame(&f.Library[i].Frame)
		}
		if f.Callee != nil {
			n.frame(&f.Callee.Frame)
		}
		n.findings(f.Others)
	}
}

// frames returns copies of frames with shortened names. Findings and sites may share the
// originals.
func (n names) frames(all []evidence.Frame) []evidence.Frame {
	named := make([]evidence.Frame, len(all))
	for i, f := range all {
		n.frame(&f)
		named[i] = f
	}
	return named
}

func (n names) frame(f *evidence.Frame) { f.File = n.of(f.Function, f.File) }

func (n names) of(function, file string) string {
	if file == "" {
		return ""
	}
	slashed := strings.ReplaceAll(file, `\`, "/")
	pkg := profile.PackageOf(function)
	folder := path.Dir(slashed)
	if owner.OfStandard(pkg) && (folder == pkg || strings.HasSuffix(folder, "/src/"+pkg)) {
		return "std/" + pkg + "/" + path.Base(slashed)
	}
	switch m, name, ok := n.source.Dependency(function, file); {
	case ok && m.Version != "":
		return m.Path + "@" + m.Version + "/" + name
	case owner.Versioned(slashed):
		return source.OfModule(slashed)
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
