// Package vtprotobuf adds the methods that vtprotobuf generates to messages that are
// published without them, in copies of their modules.
package vtprotobuf

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/planetscale/vtprotobuf/features/pool"
	_ "github.com/planetscale/vtprotobuf/features/unmarshal"
	"github.com/planetscale/vtprotobuf/generator"
	logs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// Modules are modules that bench requires, each with the files to generate methods for.
// Their imports follow.
type Modules map[string][]protoreflect.FileDescriptor

// OTLP is the module of OTLP's messages.
const OTLP = "go.opentelemetry.io/proto/otlp"

// OTLPFiles are the files of OTLP's services.
var OTLPFiles = []protoreflect.FileDescriptor{
	traces.File_opentelemetry_proto_collector_trace_v1_trace_service_proto,
	metrics.File_opentelemetry_proto_collector_metrics_v1_metrics_service_proto,
	logs.File_opentelemetry_proto_collector_logs_v1_logs_service_proto,
}

// Workspace writes the copies to dir, and returns the file of a workspace there. In it,
// bench and the modules in the folders more are built with the copies.
func (m Modules) Workspace(ctx context.Context, dir string, more ...string) (string, error) {
	bench, err := ModuleDir(ctx, "github.com/heapwright/heapwright/bench")
	if err != nil {
		return "", err
	}
	work := "go 1.26.0\n\n"
	for _, folder := range append(more, bench) {
		if folder, err = filepath.Abs(folder); err != nil {
			return "", err
		}
		work += fmt.Sprintf("use %q\n", folder)
	}
	for module, files := range m {
		from, err := ModuleDir(ctx, module)
		if err != nil {
			return "", err
		}
		to := filepath.Join(dir, module)
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			return "", err
		}
		if err := generate(to, module, files); err != nil {
			return "", fmt.Errorf("generating vtprotobuf's methods for %s: %w", module, err)
		}
		work += fmt.Sprintf("replace %s => %q\n", module, to)
	}
	file := filepath.Join(dir, "go.work")
	return file, os.WriteFile(file, []byte(work), 0o666)
}

// ModuleDir returns the folder of a module that bench requires.
func ModuleDir(ctx context.Context, module string) (string, error) {
	dir, err := program.In{}.Line(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return "", fmt.Errorf("run this with go -C bench run: %w", err)
	}
	return dir, nil
}

// generate writes, into the copy of a module, UnmarshalPlain without pools, and
// UnmarshalVT and UnmarshalVTUnsafe with pools for every message.
func generate(dir, module string, files []protoreflect.FileDescriptor) error {
	request := &pluginpb.CodeGeneratorRequest{Parameter: proto.String("module=" + module)}
	for _, f := range files {
		addFile(request, module, f)
	}
	for _, pools := range []bool{false, true} {
		plugin, err := protogen.Options{}.New(request)
		if err != nil {
			return err
		}
		features, config := []string{"unmarshal"}, generator.Config{Poolable: generator.NewObjectSet(), PoolableExclude: generator.NewObjectSet()}
		if pools {
			features = append(features, "unmarshal_unsafe", "pool")
			if err := config.Poolable.Set("**/*"); err != nil {
				return err
			}
		}
		g, err := generator.NewGenerator(plugin, features, &config)
		if err != nil {
			return err
		}
		g.Generate()
		response := plugin.Response()
		if response.Error != nil {
			return fmt.Errorf("%s", response.GetError())
		}
		for _, f := range response.File {
			name, content := f.GetName(), f.GetContent()
			if !pools {
				name = strings.TrimSuffix(name, ".go") + "_plain.go"
				content = strings.ReplaceAll(content, "UnmarshalVT", "UnmarshalPlain")
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFile adds a file to a request, after the files that it imports.
func addFile(request *pluginpb.CodeGeneratorRequest, module string, f protoreflect.FileDescriptor) {
	for _, known := range request.ProtoFile {
		if known.GetName() == f.Path() {
			return
		}
	}
	for i := range f.Imports().Len() {
		addFile(request, module, f.Imports().Get(i).FileDescriptor)
	}
	request.ProtoFile = append(request.ProtoFile, protodesc.ToFileDescriptorProto(f))
	if strings.HasPrefix(f.Options().(*descriptorpb.FileOptions).GetGoPackage(), module) {
		request.FileToGenerate = append(request.FileToGenerate, f.Path())
	}
}
