package view

import (
	"io"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/termtext"
)

// JSON writes the document itself: the contract for programs.
func JSON(w io.Writer, d *diagnose.Document) error { return termtext.JSON(w, d) }
