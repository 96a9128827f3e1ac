package arenapbtest

//lint:file-ignore U1000 the fields of a generated message are found by reflection

import (
	"reflect"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// A late is a google.protobuf.StringValue in a Go type that only one test uses.
type late struct {
	state         protoimpl.MessageState
	Value         string `protobuf:"bytes,1,opt,name=value,proto3"`
	unknownFields protoimpl.UnknownFields
	sizeCache     protoimpl.SizeCache
}

var lateInfo = protoimpl.MessageInfo{GoReflectType: reflect.TypeFor[*late](), Desc: new(wrapperspb.StringValue).ProtoReflect().Descriptor()}

func (m *late) Reset()                             { *m = late{} }
func (m *late) String() string                     { return m.Value }
func (*late) ProtoMessage()                        {}
func (m *late) ProtoReflect() protoreflect.Message { return lateInfo.MessageOf(m) }

// The options of earlier calls do not count when a new type is checked, although
// the check gets the memory of an arena that was freed.
func TestFirstUseAfterDiscardUnknown(t *testing.T) {
	for range 100 { // memory that was freed is not used again at once
		a, b := arena.NewArena(), arena.NewArena()
		for _, a := range []*arena.Arena{a, b} {
			if err := (arenapb.UnmarshalOptions{Text: arena.TextArena, DiscardUnknown: true}).Unmarshal(a, []byte("\x10\x01"), new(wrapperspb.StringValue)); err != nil {
				t.Fatal(err)
			}
		}
		a.Free()
		b.Free()
	}
	if got := arenapb.Explain((*late)(nil)); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}
