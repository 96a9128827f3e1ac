package vet

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/overlay"
	"github.com/heapwright/heapwright/internal/result"
)

// prove has the go command type-check the packages with the changed files in
// place of theirs, and drops the changes with which they do not compile.
func (d *Document) prove(ctx context.Context, p Plan, all *Changes) error {
	dir, err := result.Scratch()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for len(all.files) > 0 {
		failures, err := d.compile(ctx, p, dir, all)
		if err != nil {
			return err
		}
		if len(failures) == 0 {
			return nil
		}
		left := slices.DeleteFunc(slices.Clone(all.files), func(c *change) bool { return blamed(failures, c) == "" })
		if len(left) == 0 {
			left = all.files // the message names none of them
		}
		for _, c := range left {
			why := blamed(failures, c)
			if why == "" {
				why = failures[0].Reason
			}
			d.leave(c, "with the fixes it would not compile: "+firstLine(why))
		}
		all.files = slices.DeleteFunc(all.files, func(c *change) bool { return slices.Contains(left, c) })
	}
	return nil
}

// blamed returns a message about a changed file, or "".
func blamed(failures []Failure, c *change) string {
	for _, f := range failures {
		for line := range strings.Lines(f.Reason) {
			if i := strings.Index(line, filepath.Base(c.file)+":"); i >= 0 {
				return strings.TrimSpace(line[i:])
			}
		}
	}
	return ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// compile checks the packages once more, with an overlay, and returns those that do
// not compile.
func (d *Document) compile(ctx context.Context, p Plan, dir string, all *Changes) ([]Failure, error) {
	changed := overlay.Files{}
	folders := map[string]bool{}
	for _, c := range all.files {
		changed[c.file] = c.after
		folders[filepath.Dir(c.file)] = true
	}
	patterns := slices.Sorted(maps.Keys(folders)) // packages of tests cannot be named by their paths
	if d.Reports[all.files[0].reports[0]].Package == "command-line-arguments" {
		patterns = p.Packages // files
	}
	file, err := changed.Write(dir)
	if err != nil {
		return nil, err
	}
	result := &Document{Dir: d.Dir}
	// The go command keeps results by the contents of files. With the flags of a
	// check, a later one of the written files would find reports on the overlay's.
	err = result.vet(ctx, []string{"-prove", "-overlay=" + file}, patterns)
	return result.Failures, err
}
