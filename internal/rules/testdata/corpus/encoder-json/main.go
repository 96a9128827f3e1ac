// Every answer is marshalled into new memory.
package main

import (
	"encoding/json"
	"io"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Tags  []string `json:"tags"`
	Price float64  `json:"price"`
}

func respond(w io.Writer, items []item) error {
	data, err := json.Marshal(items) // want: encoder
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func main() {
	items := make([]item, 50)
	for i := range items {
		items[i] = item{i, "an item", []string{"new", "cheap"}, 1.5 * float64(i)}
	}
	harness.Run(func() {
		if err := respond(io.Discard, items); err != nil {
			panic(err)
		}
	})
}
