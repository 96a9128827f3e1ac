package view

import (
	"encoding/json"
	"io"

	"github.com/heapwright/heapwright/internal/diagnose"
)

// JSON writes the document itself: the contract for programs.
func JSON(w io.Writer, d *diagnose.Document) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // the file is read by people, too
	enc.SetIndent("", " ")
	return enc.Encode(d)
}
