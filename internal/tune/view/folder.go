package view

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	diagnosis "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/tune"
)

// Folder keeps all views of one tuning.
type Folder struct {
	Dir     string
	Resumed bool // keeps the diagnosis in the folder, because only that has flame graphs

	saved bool
}

// Document returns the name of the file with the whole document, as JSON.
func (f *Folder) Document() string { return filepath.Join(f.Dir, "tune.json") }

// Page returns the name of the HTML file.
func (f *Folder) Page() string { return filepath.Join(f.Dir, "tune.html") }

// Save writes all views. The first Save of a new tuning removes the comparisons of an
// earlier one from the folder, so that nobody takes them for results of this one.
func (f *Folder) Save(doc *tune.Document) error {
	if !f.Resumed && !f.saved {
		if err := f.removeComparisons(); err != nil {
			return err
		}
	}
	f.saved = true
	views := map[string]func(io.Writer) error{
		"tune.json": func(w io.Writer) error { return JSON(w, doc) },
		"tune.txt":  func(w io.Writer) error { return Text(w, doc, "") },
		"tune.html": func(w io.Writer) error { return HTML(w, doc) },
	}
	if !f.Resumed {
		views["diagnosis.json"] = func(w io.Writer) error { return diagnosis.JSON(w, doc.Diagnosis) }
		views["diagnosis.html"] = func(w io.Writer) error { return diagnosis.HTML(w, doc.Diagnosis) }
	}
	err := result.ReplaceAll(f.Dir, views)
	for i, comparison := range doc.Comparisons() {
		err = errors.Join(err, report.WriteAll(tune.Folder(f.Dir, i), comparison))
	}
	return err
}

// removeComparisons removes the comparisons of an earlier tuning. It does nothing if the
// folder has no tuning: then the files are the user's own, from the command compare.
func (f *Folder) removeComparisons() error {
	if _, err := os.Stat(f.Document()); err != nil {
		return nil
	}
	for round := 0; ; round++ {
		dir := tune.Folder(f.Dir, round)
		if _, err := os.Stat(dir); err != nil {
			return nil
		}
		if err := errors.Join(result.Remove(filepath.Join(dir, experiment.ResultsFile)), report.Remove(dir)); err != nil {
			return fmt.Errorf("cannot remove an earlier report: %w; give another folder with -o", err)
		}
		if round > 0 {
			os.Remove(dir) // fails, as it should, if there are other files in it
		}
	}
}
