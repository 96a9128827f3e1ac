// Package arenapb decodes protobuf into the standard generated Go types, with
// their messages, slices, strings and oneof wrappers in an arena. It needs no
// generated code of its own and replaces proto.Unmarshal line for line:
//
//	a := pool.Get()
//	defer a.Free()
//	err := arenapb.Unmarshal(a, data, request)
//
// The open, hybrid and opaque API of proto2, proto3 and editions are decoded
// directly. Other kinds of fields, such as extensions, and types of old generators go
// through proto.Unmarshal, onto the heap; [Explain] lists them. Go maps are on the
// heap as well, because only the runtime can make them.
//
// [UnmarshalJSON] replaces protojson.Unmarshal in the same way, and also decodes the
// JSON of the OpenTelemetry protocol.
//
// Input that proto.Unmarshal accepts gives an equal message, and other input an
// error. When a type is first used, samples of each field are decoded by
// proto.Unmarshal too. A field that differs is left to proto.Unmarshal from then on.
//
// A decoded message dies with its arena. [Promote] copies messages that have to outlive
// it; proto.Clone shares strings, which then refer to freed memory.
// Strings and bytes lie on the heap and can be kept, unless the options put them into
// the arena too, which saves an allocation of the size of the input: [arena.Text].
//
// If the environment has HEAPWRIGHT_ARENAPB=off when the program starts, every message is
// decoded onto the heap, as with a nil arena. That measures what arenas save, and rules
// them out as the cause of a fault, without another build.
//
// Calls may be concurrent with different arenas. A call with a freed arena panics.
package arenapb
