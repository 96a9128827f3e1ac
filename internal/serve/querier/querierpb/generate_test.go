package querierpb

import (
	"flag"
	"os"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

var update = flag.Bool("update", false, "write the generated types")

// The types are those that protoc-gen-go makes of querier.proto.
func TestGeneratedTypesAreFresh(t *testing.T) {
	const name, file = "querier.proto", "querier.pb.go"
	compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{}}
	files, err := compiler.Compile(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{name}, Parameter: proto.String("paths=source_relative"),
		ProtoFile: []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(files[0])}})
	if err != nil {
		t.Fatal(err)
	}
	internal_gengo.GenerateVersionMarkers = false
	internal_gengo.GenerateFile(plugin, plugin.FilesByPath[name])
	want := plugin.Response().File[0].GetContent()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what protoc-gen-go makes: run go test -run %s -update", file, t.Name())
	}
}
