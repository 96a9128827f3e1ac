package arenapbtest

//lint:file-ignore U1000 the fields of a generated message are found by reflection

import (
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// A namesake is generated from another google.protobuf.StringValue than that of this
// program, which has the value in field 2.
type namesake struct {
	state         protoimpl.MessageState
	Value         string `protobuf:"bytes,2,opt,name=value,proto3"`
	unknownFields protoimpl.UnknownFields
	sizeCache     protoimpl.SizeCache
}

var namesakeInfo protoimpl.MessageInfo

func (m *namesake) Reset()                             { *m = namesake{} }
func (m *namesake) String() string                     { return m.Value }
func (*namesake) ProtoMessage()                        {}
func (m *namesake) ProtoReflect() protoreflect.Message { return namesakeInfo.MessageOf(m) }

func TestMessagesOfAnotherRegistry(t *testing.T) {
	file := protodesc.ToFileDescriptorProto(wrapperspb.File_google_protobuf_wrappers_proto)
	for _, m := range file.MessageType {
		if m.GetName() == "StringValue" {
			m.Field[0].Number = proto.Int32(2)
		}
	}
	own, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{file}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := own.FindDescriptorByName("google.protobuf.StringValue")
	if err != nil {
		t.Fatal(err)
	}
	desc := d.(protoreflect.MessageDescriptor)
	if known, err := protoregistry.GlobalFiles.FindDescriptorByName(desc.FullName()); err != nil || known == d {
		t.Fatalf("%v, %v is to be another descriptor", known, err)
	}
	namesakeInfo.GoReflectType, namesakeInfo.Desc = reflect.TypeFor[*namesake](), desc

	a := arena.NewArena()
	defer a.Free()
	first, second := []byte("\x0a\x05first"), []byte("\x12\x06second")
	for range 2 { // the second time all tables are known
		compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, first, (*wrapperspb.StringValue)(nil))
		compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, second, (*wrapperspb.StringValue)(nil))
		compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, first, dynamicpb.NewMessage(desc))
		compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, second, dynamicpb.NewMessage(desc))
		compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, first, new(namesake))
		if m := compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, second, new(namesake)).(*namesake); m.Value != "second" {
			t.Errorf("got %q", m.Value)
		}
	}
}
