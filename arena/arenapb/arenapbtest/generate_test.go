package arenapbtest

import (
	"flag"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/gofeaturespb"
	"google.golang.org/protobuf/types/pluginpb"
)

var update = flag.Bool("update", false, "write the generated types")

// The types in testdata are those that protoc-gen-go makes of the .proto files
// there, one of them for each API level.
func TestGeneratedTypesAreFresh(t *testing.T) {
	everything := read(t, "testdata/everything.proto")
	sources := map[string]string{}
	for _, name := range []string{"old.proto", "new.proto", "odd.proto"} {
		sources[name] = read(t, "testdata/"+name)
	}
	for _, api := range []string{"open", "hybrid", "opaque"} {
		sources[api+".proto"] = strings.NewReplacer("API_LEVEL", "API_"+strings.ToUpper(api), "API", api).Replace(everything)
	}
	for name, source := range sources {
		fresh(t, name, source)
	}
}

// fresh compares the types in testdata with those of a .proto file.
func fresh(t *testing.T, name, source string) {
	t.Helper()
	generated := generate(t, name, source)
	file := path.Join("testdata", strings.TrimSuffix(name, ".proto"), strings.TrimSuffix(name, ".proto")+".pb.go")
	if *update {
		if err := os.MkdirAll(path.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(generated), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, file) != generated {
		t.Errorf("%s is not what protoc-gen-go makes: run go test -run %s -update", file, t.Name())
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// generate returns the Go types of a .proto file.
func generate(t *testing.T, name, source string) string {
	t.Helper()
	resolver := &protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(map[string]string{name: source})}
	goFeatures := protocompile.ResolverFunc(func(name string) (protocompile.SearchResult, error) {
		if name == "google/protobuf/go_features.proto" {
			return protocompile.SearchResult{Desc: gofeaturespb.File_google_protobuf_go_features_proto}, nil
		}
		return protocompile.SearchResult{}, os.ErrNotExist
	})
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(protocompile.CompositeResolver{resolver, goFeatures})}
	files, err := compiler.Compile(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: []string{name}, Parameter: proto.String("paths=source_relative")}
	seen := map[string]bool{}
	var add func(f protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		request.ProtoFile = append(request.ProtoFile, descriptor(t, f))
	}
	add(files[0])
	plugin, err := protogen.Options{}.New(request)
	if err != nil {
		t.Fatal(err)
	}
	internal_gengo.GenerateVersionMarkers = false
	internal_gengo.GenerateFile(plugin, plugin.FilesByPath[name])
	return plugin.Response().File[0].GetContent()
}

// descriptor returns the descriptor of a file with its extensions decoded.
func descriptor(t *testing.T, f protoreflect.FileDescriptor) *descriptorpb.FileDescriptorProto {
	t.Helper()
	d := protodesc.ToFileDescriptorProto(f)
	if r, ok := f.(linker.Result); ok {
		d = r.FileDescriptorProto()
	}
	data, err := proto.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	decoded := new(descriptorpb.FileDescriptorProto)
	if err := proto.Unmarshal(data, decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}
