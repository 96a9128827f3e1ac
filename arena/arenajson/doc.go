// Package arenajson decodes JSON into ordinary Go values, with the slices,
// pointers and text that they refer to in an arena. It needs no generated code and
// replaces json.Unmarshal line for line:
//
//	a := pool.Get()
//	defer a.Free()
//	err := arenajson.Unmarshal(a, data, &request)
//
// Values, errors and struct tags are as in encoding/json of the Go version that
// builds the program, 1.26 or 1.27, with and without GOEXPERIMENT=jsonv2. Input that
// does not suit the target is given to json.Unmarshal, so that errors are literally
// the same, and so is a target that already refers to other values. There is no
// counterpart of json.Decoder and its options.
//
// Go maps are on the heap, and so are the allocations of UnmarshalJSON and
// UnmarshalText methods. The values that the keys and values of a map refer to are in
// the arena, as are those that an interface holds.
//
// A decoded value dies with its arena. [Promote] copies values that have to outlive it.
// Strings and bytes lie on the heap and can be kept, unless the options put them into
// the arena too, which saves an allocation of the size of the input: [arena.Text].
//
// Calls may be concurrent with different arenas. A call with a freed arena panics.
package arenajson
