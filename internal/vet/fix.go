package vet

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

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
	edits         []Edit
	reports       []int // in Document.Reports, that are fixed by it
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
		if c.after, err = c.apply(); err != nil {
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
	edits, ok := merge(c.edits, r.Fix.Edits, len(c.before))
	if !ok {
		return fmt.Errorf("%s:%d: the fix overlaps another one; run heapwright vet -fix again for it", r.File, r.Line)
	}
	c.edits = edits
	c.reports = append(c.reports, index)
	return nil
}

// merge adds edits to those of a file of the given size. Equal edits, such as two
// that import one package, are one. It reports false where two overlap.
func merge(edits, more []Edit, size int) ([]Edit, bool) {
	merged := slices.Clone(edits)
	for _, e := range more {
		if slices.Contains(edits, e) {
			continue
		}
		if e.Start < 0 || e.Start > e.End || e.End > size {
			return nil, false
		}
		for _, other := range merged {
			lines := strings.Contains(e.New, "\n") && strings.Contains(other.New, "\n") // statements or imports
			inserted := e.Start == e.End || other.Start == other.End
			if e.Start < other.End && other.Start < e.End || e.Start == other.Start && (e.End == other.End && !lines || !inserted) {
				return nil, false
			}
		}
		merged = append(merged, e)
	}
	// An insertion comes before the replacement that begins there.
	slices.SortStableFunc(merged, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	return merged, true
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
		name := d.relative(c.file)
		out.Write(unified(name, c.before, c.after))
	}
	return out.Bytes()
}

// unified returns a diff that patch and git apply read.
func unified(name string, before, after []byte) []byte {
	text := diff.Diff(edit.QuoteName("a/"+name), before, edit.QuoteName("b/"+name), after)
	if i := bytes.IndexByte(text, '\n'); bytes.HasPrefix(text, []byte("diff ")) {
		return text[i+1:]
	}
	return text
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
