package arenajson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenajson"
)

type order struct {
	ID    string `json:"id"`
	Items []struct {
		Name  string  `json:"name"`
		Price float64 `json:"price"`
	} `json:"items"`
}

func ExampleUnmarshal() {
	data := []byte(`{"id": "A-17", "items": [{"name": "pen", "price": 1.5}, {"name": "ink", "price": 4}]}`)
	var pool arena.Pool
	a := pool.Get()
	defer a.Free()
	var o order
	err := arenajson.Unmarshal(a, data, &o) // with a nil arena: json.Unmarshal
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := 0.0
	for _, item := range o.Items {
		sum += item.Price
	}
	fmt.Println(o.ID, sum)
	// Output: A-17 5.5
}

// Errors are those of encoding/json.
func ExampleUnmarshal_error() {
	a := arena.NewArena()
	defer a.Free()
	var o order
	err := arenajson.Unmarshal(a, []byte(`{"items": [{"price": "free"}]}`), &o)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		fmt.Println("a", wrong.Value, "is not a", wrong.Type)
	}
	// Output: a string is not a float64
}

// Strings may be kept: they lie on the heap. Clone them if the rest of the input should
// not stay alive with them.
func ExampleUnmarshal_kept() {
	a := arena.NewArena()
	var o order
	err := arenajson.Unmarshal(a, []byte(`{"id": "A-17"}`), &o)
	id := strings.Clone(o.ID)
	a.Free()
	fmt.Println(id, err)
	// Output: A-17 <nil>
}

// Where no text is kept, the arena can hold it too.
func ExampleUnmarshalOptions() {
	a := arena.NewArena()
	defer a.Free()
	var o order
	err := arenajson.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, []byte(`{"id": "A-17"}`), &o)
	fmt.Println(o.ID, err)
	// Output: A-17 <nil>
}
