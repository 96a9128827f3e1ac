package arenapbtest

import (
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// The descriptors of all files that this test links are messages with
// extensions, real ones.
func TestDescriptors(t *testing.T) {
	var pool arena.Pool
	n := 0
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		data, err := proto.Marshal(protodesc.ToFileDescriptorProto(f))
		if err != nil {
			t.Fatal(err)
		}
		a := pool.Get()
		defer a.Free()
		compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, data, (*descriptorpb.FileDescriptorProto)(nil))
		n++
		return true
	})
	if n < 20 {
		t.Errorf("only %d files are linked", n)
	}
}

// An extension that is a message is decoded onto the heap, and can be read.
func TestExtension(t *testing.T) {
	options := new(descriptorpb.MethodOptions)
	proto.SetExtension(options, annotations.E_Http, &annotations.HttpRule{Selector: "a.b", Pattern: &annotations.HttpRule_Get{Get: "/v1/{name}"}})
	options.Deprecated = proto.Bool(true)
	data, err := proto.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	a := arena.NewArena()
	defer a.Free()
	m := compare(t, arenapb.UnmarshalOptions{Text: arena.TextArena}, a, data, (*descriptorpb.MethodOptions)(nil))
	if rule := proto.GetExtension(m, annotations.E_Http).(*annotations.HttpRule); rule.GetGet() != "/v1/{name}" {
		t.Errorf("got %v", rule)
	}
}
