package view

import (
	"io"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/termtext"
)

// JSON writes the list of everything that can be varied as JSON.
func JSON(w io.Writer, list []mode.Available) error { return termtext.JSON(w, list) }
