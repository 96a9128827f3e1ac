package view

import (
	"io"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/termtext"
)

// JSON writes the document, which is the contract for programs that read it.
func JSON(w io.Writer, d *diagnose.Document) error { return termtext.JSON(w, d) }
