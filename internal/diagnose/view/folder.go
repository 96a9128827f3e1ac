package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/result"
)

// documentFile is the name of the document in the output folder.
const documentFile = "diagnosis.json"

// Save writes all views of a diagnosis into a folder.
func Save(dir string, d *diagnose.Document) error {
	files := map[string]func(io.Writer) error{
		"diagnosis.txt":  func(w io.Writer) error { return Text(w, d) },
		documentFile:     func(w io.Writer) error { return JSON(w, d) },
		"diagnosis.html": func(w io.Writer) error { return HTML(w, d) },
	}
	if d.Resident != nil {
		files["rss.pb.gz"] = d.Resident.WriteProfile
	}
	return result.ReplaceAll(dir, files)
}

// maxDocument bounds a document in bytes. A large service has one of a megabyte.
const maxDocument = 64 << 20

// Load reads the document that Save wrote into a folder. The error is fs.ErrNotExist if
// there is none.
func Load(dir string) (*diagnose.Document, error) {
	name := filepath.Join(dir, documentFile)
	text, err := input.ReadRegular(name, maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("the diagnosis cannot be read: %w", err)
	}
	d := &diagnose.Document{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if d.Schema != diagnose.Schema {
		return nil, fmt.Errorf("%s has the schema %q, not %q: diagnose again with this version",
			name, d.Schema, diagnose.Schema)
	}
	return d, nil
}
