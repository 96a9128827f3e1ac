package truth

import (
	"embed"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/heapwright/heapwright/bench/internal/data"
)

//go:embed modules releases changes.txtar
var files embed.FS

// Modules are all modules, in the order of the page. Releases and Paths are those
// with a public release that mended them, and those that no release mended; these
// are taken for the changes alone. Changes are the changes made by hand.
var (
	Modules         = read("modules", readModule)
	Releases, Paths = split(read("releases", readRelease))
	Changes         = ReadChanges(data.Archive(files, "changes.txtar").Files)
)

func read[T any](dir string, one func(*txtar.Archive) *T) (all []*T) {
	entries, err := files.ReadDir(dir)
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		all = append(all, one(data.Archive(files, dir+"/"+e.Name())))
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

func readModule(a *txtar.Archive) *Module {
	h := data.Header(a.Comment)
	m := &Module{Name: h["name"], Path: h["path"], Version: h["version"], Mode: h["mode"],
		Args: strings.Fields(h["args"]), Compile: strings.Fields(h["compile"]), inputs: map[string]string{}}
	to := map[string]*[]Place{"expect": &m.Expect, "wrong": &m.Wrong, "unsafe": &m.Unsafe, "safe": &m.Safe}
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "data/"); ok {
			m.inputs[name] = string(f.Data)
		} else if f.Name == "inputs.tmpl" {
			m.template = string(f.Data)
		} else if f.Name == "places.tsv" {
			for _, row := range data.Table(f.Data) {
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
	h := data.Header(a.Comment)
	r := &Release{Name: h["name"], Path: h["path"], Before: h["before"], After: h["after"], Package: h["package"]}
	for _, f := range a.Files {
		switch f.Name {
		case "release_test.go":
			r.Benchmark = string(f.Data)
		case "mended.tsv":
			for _, row := range data.Table(f.Data) {
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
		h := data.Header(f.Data)
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
			all = append(all, Edit{At: at, Lines: data.Text(f)})
		}
	}
	return all
}
