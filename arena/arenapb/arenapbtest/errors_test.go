package arenapbtest

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// Errors are those of package proto, whichever decoder returned them.
func TestErrorsAreThoseOfProto(t *testing.T) {
	arenas := map[string]*arena.Arena{"heap": nil, "arena": arena.NewArena()}
	defer arenas["arena"].Free()
	dynamic := dynamicpb.NewMessage(wrapperspb.String("").ProtoReflect().Descriptor())
	for name, a := range arenas {
		for fault, err := range map[string]error{
			"malformed":                  arenapb.Unmarshal(a, []byte{0x0a}, new(wrapperspb.StringValue)),
			"malformed, on the heap":     arenapb.Unmarshal(a, []byte{0x0a}, dynamic),
			"no required field":          arenapb.Unmarshal(a, nil, new(descriptorpb.UninterpretedOption_NamePart)),
			"no required field, in JSON": arenapb.UnmarshalJSON(a, []byte("{}"), new(descriptorpb.UninterpretedOption_NamePart)),
			"no JSON":                    arenapb.UnmarshalJSON(a, []byte("{"), new(descriptorpb.FileOptions)),
			"no JSON, on the heap":       arenapb.UnmarshalJSON(a, []byte("{"), dynamic),
			"no time":                    arenapb.UnmarshalJSON(a, []byte(`"x"`), new(timestamppb.Timestamp)),
		} {
			if err == nil || !errors.Is(err, proto.Error) {
				t.Errorf("%s, %s: got %v", fault, name, err)
			}
		}
	}
}
