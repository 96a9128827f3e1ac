// Package view shows the changes that fix tried.
package view

import (
	"io"
	"path/filepath"

	diagnosis "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/fix"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Folder keeps all views of one run of fix.
type Folder struct {
	Dir string
}

// Document returns the file that has everything.
func (f Folder) Document() string { return filepath.Join(f.Dir, "fix.json") }

// Patch returns the file of the proven changes.
func (f Folder) Patch() string { return filepath.Join(f.Dir, "fix.patch") }

// Save writes all views.
func (f Folder) Save(d *fix.Document) error {
	return result.ReplaceAll(f.Dir, map[string]func(io.Writer) error{
		"fix.json":       func(w io.Writer) error { return JSON(w, d) },
		"fix.html":       func(w io.Writer) error { return HTML(w, d) },
		"fix.txt":        func(w io.Writer) error { return Text(w, d, "") },
		"fix.patch":      func(w io.Writer) error { _, err := io.WriteString(w, d.Patch); return err },
		"commit.txt":     func(w io.Writer) error { return Commit(w, d) },
		"diagnosis.json": func(w io.Writer) error { return diagnosis.JSON(w, d.Diagnosis) },
		"diagnosis.html": func(w io.Writer) error { return diagnosis.HTML(w, d.Diagnosis) },
	})
}

// JSON writes the document.
func JSON(w io.Writer, d *fix.Document) error {
	out := *d
	if out.Compared != nil {
		out.Compared = result.Finite(out.Compared)
	}
	if out.Combined != nil {
		out.Combined = result.Finite(out.Combined)
	}
	return termtext.JSON(w, &out)
}
