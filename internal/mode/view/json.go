package report

import (
	"io"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/termtext"
)

// ModesJSON writes the list of everything that can be varied as JSON.
func ModesJSON(w io.Writer, list []mode.Available) error { return termtext.JSON(w, list) }
