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

const (
	documentFile = "fix.json"
	patchFile    = "fix.patch"
)

// Document returns the name of the file with the whole document, as JSON.
func (f Folder) Document() string { return filepath.Join(f.Dir, documentFile) }

// Patch returns the name of the file with the proven changes, as one unified diff.
func (f Folder) Patch() string { return filepath.Join(f.Dir, patchFile) }

// Save writes all views.
func (f Folder) Save(d *fix.Document) error {
	return result.ReplaceAll(f.Dir, map[string]func(io.Writer) error{
		documentFile:     func(w io.Writer) error { return JSON(w, d) },
		"fix.html":       func(w io.Writer) error { return HTML(w, d) },
		"fix.txt":        func(w io.Writer) error { return Text(w, d, "") },
		patchFile:        func(w io.Writer) error { _, err := io.WriteString(w, d.Patch); return err },
		"commit.txt":     func(w io.Writer) error { return Commit(w, d) },
		"diagnosis.json": func(w io.Writer) error { return diagnosis.JSON(w, d.Diagnosis) },
		"diagnosis.html": func(w io.Writer) error { return diagnosis.HTML(w, d.Diagnosis) },
	})
}

// JSON writes the document. Comparisons may hold an infinity or a NaN, which JSON cannot.
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
