package truth

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed modules releases changes.txtar
var files embed.FS

// Modules are all modules, in the order of the page. Releases and Paths are those
// with a public release that mended them, and those that no release mended; these
// are taken for the changes alone. Changes are the changes made by hand.
var (
	Modules         = read("modules", readModule)
	Releases, Paths = split(read("releases", readRelease))
	Changes         = ReadChanges(Archive(files, "changes.txtar").Files)
)

// Archive reads an archive that is compiled into the program, so that a fault in it
// is a fault of the program.
func Archive(in fs.FS, name string) *txtar.Archive {
	text, err := fs.ReadFile(in, name)
	if err != nil {
		panic(err)
	}
	return txtar.Parse(text)
}

func read[T any](dir string, one func(*txtar.Archive) *T) (all []*T) {
	entries, err := files.ReadDir(dir)
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		all = append(all, one(Archive(files, dir+"/"+e.Name())))
	}
	return all
}

func split(all []*Release) (releases, paths []*Release) {
	for _, r := range all {
		if r.After == "" {
			paths = append(paths, r)
		} else {
			releases = append(releases, r)
		}
	}
	return releases, paths
}

// Header reads lines "key: value". Lines that begin with # are comments.
func Header(text []byte) map[string]string {
	h := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		key, value, ok := strings.Cut(line, ": ")
		switch {
		case line == "" || line[0] == '#':
		case !ok:
			panic(fmt.Sprintf("%q is no line \"key: value\"", line))
		default:
			h[key] = value
		}
	}
	return h
}

// Table reads the rows of a TSV file, which has no header.
func Table(text []byte) (rows [][]string) {
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

// Text is the text of a file without its last newline, which the format adds.
func Text(f txtar.File) string { return strings.TrimSuffix(string(f.Data), "\n") }

func readModule(a *txtar.Archive) *Module {
	h := Header(a.Comment)
	m := &Module{Name: h["name"], Path: h["path"], Version: h["version"], Mode: h["mode"],
		Args: strings.Fields(h["args"]), Compile: strings.Fields(h["compile"]), data: map[string]string{}}
	to := map[string]*[]Place{"expect": &m.Expect, "wrong": &m.Wrong, "unsafe": &m.Unsafe, "safe": &m.Safe}
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "data/"); ok {
			m.data[name] = string(f.Data)
		} else if f.Name == "places.tsv" {
			for _, row := range Table(f.Data) {
				*to[row[0]] = append(*to[row[0]], Place{row[1], row[2], row[3]})
			}
		}
	}
	for _, c := range ReadChanges(a.Files) {
		m.Advised = append(m.Advised, *c)
	}
	return m
}

func readRelease(a *txtar.Archive) *Release {
	h := Header(a.Comment)
	r := &Release{Name: h["name"], Path: h["path"], Before: h["before"], After: h["after"], Package: h["package"]}
	for _, f := range a.Files {
		switch f.Name {
		case "release_test.go":
			r.Benchmark = string(f.Data)
		case "mended.tsv":
			for _, row := range Table(f.Data) {
				r.Mended = append(r.Mended, Place{At: row[0], Why: row[1]})
			}
		}
	}
	return r
}

// ReadChanges reads the changes among files: of each a header named "change", and
// its edits.
func ReadChanges(files []txtar.File) (all []*Change) {
	for i, f := range files {
		if f.Name != "change" {
			continue
		}
		h := Header(f.Data)
		c := &Change{Of: h["of"], For: h["for"], Rules: h["rules"], What: h["what"], Race: h["race"] == "yes", Tests: strings.Fields(h["tests"])}
		end := i + 1
		for end < len(files) && strings.HasPrefix(files[end].Name, "edit ") {
			end++
		}
		c.Edits = ReadEdits(files[i+1 : end])
		all = append(all, c)
	}
	return all
}

// ReadEdits reads the edits among files, each named "edit" and its place.
func ReadEdits(files []txtar.File) (all []Edit) {
	for _, f := range files {
		if at, ok := strings.CutPrefix(f.Name, "edit "); ok {
			all = append(all, Edit{At: at, Lines: Text(f)})
		}
	}
	return all
}
