package report

import (
	"encoding/json"
	"io"

	"github.com/heapwright/heapwright/internal/mode"
)

// ModesJSON writes the list of everything that can be varied as JSON.
func ModesJSON(w io.Writer, list []mode.Available) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
