package vet

import (
	"path/filepath"
	"slices"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/vet/weight"
)

// weigh adds the costs of their lines to the reports, and drops reports on performance and
// retention whose lines cost too little.
func (d *Document) weigh(p Plan, all []root) {
	lines := p.Profiles.Locate(profiled(all))
	d.Notes = append(d.Notes, lines.Notes...)
	d.Reports = slices.DeleteFunc(d.Reports, func(r Report) bool {
		switch r.Kind {
		case check.Correctness:
			return false
		case check.Retention:
			return !weight.Lives(d.costs(lines, r))
		}
		return !p.All && len(d.costs(lines, r)) == 0
	})
	for i, r := range d.Reports {
		d.Reports[i].Costs = d.costs(lines, r)
	}
}

// costs returns the costs of a report's lines. Its related places count too: a line
// that keeps memory alive need not be the one that allocates it.
func (d *Document) costs(lines *weight.Lines, r Report) []weight.Cost {
	ranges := []weight.Range{d.lines(r.Place)}
	for _, rel := range r.Related {
		ranges = append(ranges, d.lines(rel.Place))
	}
	return lines.Costs(ranges...)
}

func (d *Document) lines(at Place) weight.Range {
	file := filepath.FromSlash(at.File)
	if !filepath.IsAbs(file) {
		file = filepath.Join(d.Dir, file)
	}
	return weight.Range{File: file, First: at.Line, Last: at.EndLine}
}

// profiled returns packages by the paths that profiles have for them.
func profiled(named []root) map[string]weight.Package {
	packages := map[string]weight.Package{}
	for _, p := range named {
		add := func(path string, names ...string) {
			pkg := weight.Package{Main: p.Name == "main"}
			for _, name := range names {
				pkg.Files = append(pkg.Files, filepath.Join(p.Dir, name))
			}
			packages[path] = pkg
		}
		add(p.ImportPath, slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles)...)
		add(p.ImportPath+"_test", p.XTestGoFiles...)
	}
	return packages
}
