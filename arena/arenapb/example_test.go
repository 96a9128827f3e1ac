package arenapb_test

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/apipb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

var pool arena.Pool // one for the program: requests share the memory

// encoded is a request as a client sends it.
func encoded() []byte {
	data, err := proto.Marshal(&apipb.Api{Name: "places.v1", Methods: []*apipb.Method{{Name: "Get"}, {Name: "List"}}})
	if err != nil {
		panic(err) // it was made here
	}
	return data
}

func ExampleUnmarshal() {
	data := encoded()
	a := pool.Get()
	defer a.Free()
	request := new(apipb.Api)
	err := arenapb.Unmarshal(a, data, request) // with a nil arena: proto.Unmarshal
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range request.Methods {
		fmt.Println(request.Name, m.Name)
	}
	// Output:
	// places.v1 Get
	// places.v1 List
}

// Strings and bytes may be kept: they lie on the heap. Clone them if the rest of the
// input should not stay alive with them.
func ExampleUnmarshal_kept() {
	name := func() string {
		a := pool.Get()
		defer a.Free()
		request := new(apipb.Api)
		if err := arenapb.Unmarshal(a, encoded(), request); err != nil {
			return err.Error()
		}
		return strings.Clone(request.Methods[1].Name)
	}()
	fmt.Println(name)
	// Output: List
}

// Where no text is kept, the arena can hold it too.
func ExampleUnmarshalOptions() {
	data := encoded()
	a := pool.Get()
	defer a.Free()
	request := new(apipb.Api)
	err := arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, data, request)
	fmt.Println(len(request.Methods), err)
	// Output: 2 <nil>
}

func ExampleUnmarshalJSON() {
	data := []byte(`{"name": "places.v1", "methods": [{"name": "Get"}, {"name": "List"}]}`)
	a := pool.Get()
	defer a.Free()
	request := new(apipb.Api)
	err := arenapb.UnmarshalJSON(a, data, request) // with a nil arena: protojson.Unmarshal
	fmt.Println(request.Methods[1].Name, err)
	// Output: List <nil>
}

// OTLP decodes the JSON of the OpenTelemetry protocol, whose receivers ignore unknown
// fields. Its trace and span IDs are in hexadecimal digits.
func ExampleUnmarshalJSONOptions() {
	data := []byte(`{"name": "places.v1", "ofALaterVersion": true}`)
	a := pool.Get()
	defer a.Free()
	request := new(apipb.Api)
	err := arenapb.UnmarshalJSONOptions{OTLP: true}.Unmarshal(a, data, request)
	fmt.Println(request.Name, err)
	// Output: places.v1 <nil>
}

// A message that outlives its arena is copied to the heap.
func ExamplePromote() {
	a := pool.Get()
	request := new(apipb.Api)
	err := arenapb.Unmarshal(a, encoded(), request)
	kept := arenapb.Promote(request)
	a.Free()
	fmt.Println(kept.Methods[0].Name, err)
	// Output: Get <nil>
}

// Explain lists the parts of a message that do not lie in the arena.
func ExampleExplain() {
	fmt.Println(arenapb.Explain((*apipb.Api)(nil)))
	fmt.Println(arenapb.Explain((*descriptorpb.FeatureSet)(nil)))
	// Output:
	// []
	// [google.protobuf.FeatureSet: its extensions are decoded one by one]
}
