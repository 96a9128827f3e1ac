// Package response is a pair for answers that are encoded whole before they are
// written: a list of orders is sent as JSON. Before, each answer is marshalled into
// bytes of its own; after, an encoder writes to a buffer that is used again.
package response

import (
	"bytes"
	"encoding/json"
	"io"
)

// order is an order as JSON has it.
type order struct {
	ID    int     `json:"id"`
	Name  string  `json:"name"`
	Items []int   `json:"items"`
	Total float64 `json:"total"`
}

// sender sends answers.
type sender func(w io.Writer, answers [][]order) error

func before(w io.Writer, answers [][]order) error {
	for _, a := range answers {
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func after(w io.Writer, answers [][]order) error {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	for _, a := range answers {
		buf.Reset()
		if err := encoder.Encode(a); err != nil {
			return err
		}
		if _, err := w.Write(buf.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
