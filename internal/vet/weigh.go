package vet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/vet/weight"
)

// weigh adds the costs of their lines to the reports, and drops those of
// performance and retention whose lines cost too little.
func (d *Document) weigh(ctx context.Context, p Plan) error {
	packages, err := d.list(ctx, p.Packages)
	if err != nil {
		return err
	}
	lines := p.Profiles.Locate(packages)
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
	return nil
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

// list returns packages by the paths that profiles have for them.
func (d *Document) list(ctx context.Context, patterns []string) (map[string]weight.Package, error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles", "--"}, patterns...)
	out, messages, err := goCommand(ctx, d.Dir, args...)
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, strings.TrimSpace(messages))
	}
	packages := map[string]weight.Package{}
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p struct {
			ImportPath, Name, Dir                        string
			GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
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
}
