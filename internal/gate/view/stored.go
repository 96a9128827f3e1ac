package view

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
)

// Stored writes which report was stored for a gate, and where.
func Stored(w io.Writer, doc *result.Document, file string) error {
	_, err := fmt.Fprintf(w, "stored %s in %s\n", format.Plural(len(doc.Benchmarks), "benchmark"),
		filepath.ToSlash(file))
	return err
}
