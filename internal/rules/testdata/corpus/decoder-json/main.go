// Every request is decoded into new values of which one field is read.
package main

import (
	"encoding/json"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type order struct {
	Customer string
	Lines    []struct {
		Product string
		Count   int
	}
}

func products(body []byte) (int, error) {
	var o order
	if err := json.Unmarshal(body, &o); err != nil { // want: encoder
		return 0, err
	}
	return len(o.Lines), nil
}

var total int

func main() {
	body := []byte(`{"Customer":"a customer","Lines":[{"Product":"first","Count":1},{"Product":"second","Count":2},{"Product":"third","Count":3}]}`)
	harness.Run(func() {
		n, err := products(body)
		if err != nil {
			panic(err)
		}
		total += n
	})
}
