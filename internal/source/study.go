package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Study reads the packages of the places that are of the program's own modules:
// what the compiler says of their lines and what their syntax allocates. Only
// these packages are compiled, into the build cache. It is called once.
//
// A package that does not build, or files that are not what was profiled, are
// no error: Notes says so. The error is that of the go command itself.
func (x *Index) Study(ctx context.Context, places []Place) error {
	wanted := map[string]bool{}    // folders of packages
	named := map[string][]string{} // what profiles call a file of this machine
	at := map[string][]Place{}     // by the profile's name of a file
	tests := false
	for _, p := range places {
		if own, _ := x.Owns(p.Function, p.File); !own || p.File == "" {
			continue
		}
		if _, known := at[p.File]; !known {
			if local := x.find(p.Function, p.File); local != "" {
				x.local[p.File] = local
				named[local] = append(named[local], p.File)
				wanted[filepath.Dir(local)] = true
				tests = tests || strings.HasSuffix(local, "_test.go")
			} else {
				x.doubts[p.File] = "not in " + orHere(x.options.Dir)
			}
		}
		at[p.File] = append(at[p.File], p)
	}
	for file, local := range x.local {
		if info, err := os.Stat(local); err == nil && !x.options.Profiled.IsZero() && info.ModTime().After(x.options.Profiled) {
			// A fresh clone is newer, too: check finds out whether the lines still fit.
			x.remarks[file] = "changed after the profile was made; its functions are still where the profile saw them"
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	built, err := x.build(ctx, wanted, tests)
	if err != nil {
		return err
	}
	for _, e := range built.escapes {
		for _, name := range named[e.File] {
			key := lineKey{name, e.Line}
			e.File = name
			x.compiled[name] = true
			x.escapes[key] = append(x.escapes[key], e)
		}
	}
	for _, p := range built.packages {
		x.read(p, built.exports, named)
	}
	for file, lines := range at {
		x.check(file, lines)
	}
	return nil
}

// read puts what a package's syntax says into the index, under the names that
// profiles have for its files.
func (x *Index) read(p listed, exports map[string]string, named map[string][]string) {
	syntax, problem := load(p, exports)
	if problem != "" {
		for _, file := range p.files() {
			for _, name := range named[file] {
				x.remarks[name] = problem + "; so the compiler gave no reasons"
			}
		}
	}
	for file, functions := range syntax.functions {
		for _, name := range named[file] {
			x.declared[name] = functions
		}
	}
	for _, a := range syntax.allocations {
		if names := named[a.File]; len(names) > 0 {
			a.File = names[0]
		}
		if a.in != "" && !slices.Contains(x.bodies[a.in], a) {
			x.bodies[a.in] = append(x.bodies[a.in], a)
		}
	}
	for _, a := range syntax.allocations {
		for _, name := range named[a.File] {
			a.File = name
			if a.Made.Line != 0 {
				a.Made.File = name
			}
			key := lineKey{name, a.Line}
			if !slices.Contains(x.syntax[key], a) { // a file of a package and of its test
				x.syntax[key] = append(x.syntax[key], a)
			}
		}
	}
}

// check doubts a file whose functions are not where the profile saw them.
func (x *Index) check(file string, places []Place) {
	if x.doubts[file] != "" {
		return
	}
	for _, p := range places {
		if p.Line == 0 || len(x.declared[file]) == 0 {
			continue
		}
		f, ok := x.Function(file, p.Line)
		if ok && !matches(p.Function, f.Name) {
			x.doubts[file] = fmt.Sprintf("line %d is in %s, not in %s: this is not the source that was profiled",
				p.Line, f.Name, p.Function)
		} else if _, is := x.Line(file, p.Line); !is {
			x.doubts[file] = fmt.Sprintf("there is no line %d: this is not the source that was profiled", p.Line)
		}
	}
	if x.doubts[file] != "" {
		for key := range x.syntax {
			if key.file == file {
				delete(x.syntax, key)
			}
		}
		for key := range x.escapes {
			if key.file == file {
				delete(x.escapes, key)
			}
		}
	}
}

// matches says whether a symbol can be of a declaration. A closure is named for
// the function it is in, and where that was inlined, for the caller before it.
func matches(symbol, declared string) bool {
	var plain strings.Builder
	depth := 0
	for _, r := range symbol {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			plain.WriteRune(r)
		}
	}
	name := plain.String()
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	name = strings.ReplaceAll("."+name+".", "-", ".") // -fm, -range1
	return strings.Contains(name, "."+declared+".")
}
