package vet

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/edit"
)

// Changes are the files that the fixes of a document change.
type Changes struct {
	tree  *edit.Tree
	files []*change
}

// change is one file, before and after.
type change struct {
	file          string // absolute
	before, after []byte
	edits         []edit.Edit
	reports       []int // the reports in Document.Reports that it fixes
}

// Fix computes the files with all fixes that do not overlap, and has the go command
// type-check the packages with them. Reports whose fix is part of the result are
// marked Fixed. Notes name the files that are left alone, with the reason.
func (d *Document) Fix(ctx context.Context, p Plan) (*Changes, error) {
	tree, err := edit.OpenTree(ctx, d.Dir)
	if err != nil {
		return nil, err
	}
	all := &Changes{tree: tree}
	files := map[string]*change{}
	for i, r := range d.Reports {
		if r.Fix == nil {
			continue
		}
		c, err := d.open(tree, files, r)
		if c != nil {
			err = c.take(r, i)
		}
		if err != nil {
			d.Notes = append(d.Notes, err.Error())
		}
	}
	for _, c := range files {
		if c != nil && len(c.edits) > 0 {
			all.files = append(all.files, c)
		}
	}
	slices.SortFunc(all.files, func(a, b *change) int { return cmp.Compare(a.file, b.file) })
	all.files = slices.DeleteFunc(all.files, func(c *change) bool {
		var err error
		if c.after, err = edit.Apply(c.before, c.edits); err != nil {
			d.leave(c, err.Error())
		}
		return err != nil
	})
	if err := d.prove(ctx, p, all); err != nil {
		return nil, err
	}
	for _, c := range all.files {
		for _, i := range c.reports {
			d.Reports[i].Fixed = true
		}
	}
	return all, nil
}

// open returns the file that a report's fix edits, or nil if it must not be changed.
func (d *Document) open(tree *edit.Tree, files map[string]*change, r Report) (*change, error) {
	name := r.Fix.Edits[0].File
	for _, e := range r.Fix.Edits {
		if e.File != name {
			return nil, fmt.Errorf("%s:%d: the fix edits several files and is left to you", r.File, r.Line)
		}
	}
	c, opened := files[name]
	if opened {
		return c, nil
	}
	files[name] = nil
	if d.files != nil && !d.files[name] { // an overlay has the text of another one
		return nil, d.leftAlone(name, "it is no file of the packages that were checked")
	}
	text, err := tree.Read(name)
	if err != nil {
		return nil, d.leftAlone(name, err.Error())
	}
	c = &change{file: name, before: text}
	files[name] = c
	return c, nil
}

// take adds a report's fix, if it overlaps none there.
func (c *change) take(r Report, index int) error {
	edits, ok := edit.Merge(c.edits, r.Fix.Edits, len(c.before))
	if !ok {
		return fmt.Errorf("%s:%d: the fix overlaps another one; run heapwright vet -fix again for it", r.File, r.Line)
	}
	c.edits = edits
	c.reports = append(c.reports, index)
	return nil
}

// leave adds a note that a file is not changed.
func (d *Document) leave(c *change, why string) {
	d.Notes = append(d.Notes, d.leftAlone(c.file, why).Error())
}

func (d *Document) leftAlone(file, why string) error {
	return fmt.Errorf("%s is left alone: %s", d.relative(file), why)
}

// Diff returns the changes as a unified diff with paths below the folder of the
// document.
func (all *Changes) Diff(d *Document) []byte {
	var out bytes.Buffer
	for _, c := range all.files {
		out.Write(edit.Diff(d.relative(c.file), c.before, c.after))
	}
	return out.Bytes()
}

// Write changes the files. Files that cannot be written are left alone.
func (all *Changes) Write(d *Document) {
	all.files = slices.DeleteFunc(all.files, func(c *change) bool {
		err := all.tree.Rewrite(c.file, c.before, c.after)
		if err != nil {
			d.leave(c, err.Error())
			for _, i := range c.reports {
				d.Reports[i].Fixed = false
			}
		}
		return err != nil
	})
}

// Len returns the number of files.
func (all *Changes) Len() int { return len(all.files) }
