// Package arenapb decodes protobuf into the standard generated Go types, with
// their messages, slices, strings and oneof wrappers in an arena. It needs no
// generated code of its own and replaces proto.Unmarshal line for line:
//
//	a := pool.Get()
//	defer a.Free()
//	err := arenapb.Unmarshal(a, data, request)
//
// The open, hybrid and opaque API of proto2, proto3 and editions are decoded
// directly. Fields of other kinds, extensions among them, and whole types of
// old generators go through proto.Unmarshal, onto the heap: [Explain] says which.
// Go maps are on the heap as well, because only the runtime can make them.
//
// [UnmarshalJSON] decodes JSON in the same way, in the place of protojson.Unmarshal, and
// the JSON of the OpenTelemetry protocol.
//
// Input that proto.Unmarshal accepts gives an equal message, and other input an
// error. Every type is compared with proto.Unmarshal when it is first used: a
// field that comes out different is left to proto.Unmarshal from then on.
//
// A decoded message dies with its arena. [Clone] copies messages that have to outlive
// it; proto.Clone shares strings, which then refer to freed memory.
// [TextHeap] puts all text on the heap, so that strings can be kept.
//
// Calls may be concurrent with different arenas. A call with a freed arena panics.
package arenapb
