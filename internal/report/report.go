// Package report shows an experiment: its events while it runs, and its
// Document as a table, HTML, Markdown, CSV and TSV.
//
// It draws the Document and concludes nothing of its own. Whatever a
// target wrote, names and output alike, is untrusted text here and shown
// harmlessly. A view is one file of this package and one entry in the list of
// views; nothing else has to know of it.
package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/result"
)

// JSON is the name of the document in an output folder; every other file
// there is a view of it.
const JSON = "report.json"

// A view shows a document as files.
type view func(*grid) []file

type file struct {
	name  string // slash-separated, within the output folder
	write func(io.Writer) error
}

var views = []view{htmlFiles, markdownFiles, csvFiles, tsvFiles}

// WriteAll writes the document and every view of it into dir, which is made if
// need be. The document goes first, and a view that cannot be written does not
// keep the others from it; the error joins all that went wrong.
func WriteAll(dir string, doc *result.Document) error {
	if err := result.Make(dir); err != nil {
		return err
	}
	var errs []error
	if err := result.Save(filepath.Join(dir, JSON), doc); err != nil {
		errs = append(errs, err)
	}
	g := newGrid(doc)
	for _, v := range views {
		for _, f := range v(g) {
			if err := writeFile(dir, f); err != nil {
				errs = append(errs, err)
			}
		}
	}
	// Many errors have one cause, such as a full disk.
	if len(errs) > 2 {
		errs = []error{fmt.Errorf("%w; and %d more files could not be written", errs[0], len(errs)-1)}
	}
	return errors.Join(errs...)
}

// Remove removes the files that WriteAll wrote into dir, but not dir itself.
func Remove(dir string) error {
	doc, err := result.LoadFound(filepath.Join(dir, JSON))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil: // damaged, or another version's
		doc = &result.Document{}
	}
	names := []string{JSON}
	g := newGrid(doc)
	for _, v := range views {
		for _, f := range v(g) {
			names = append(names, f.name)
		}
	}
	var errs []error
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		errs = append(errs, result.Remove(path))
		if sub := filepath.Dir(path); sub != filepath.Clean(dir) {
			os.Remove(sub) // fails while something is in it, as it should
		}
	}
	return errors.Join(errs...)
}

func writeFile(dir string, f file) error {
	path := filepath.Join(dir, filepath.FromSlash(f.name))
	if err := result.Make(filepath.Dir(path)); err != nil {
		return err
	}
	return result.Replace(path, f.write)
}
