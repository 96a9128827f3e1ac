package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/heapwright/heapwright/internal/input"
)

// openProto returns a function that opens a .proto file, which may be a pipe because the
// user has named it, and the files that it imports, which may not.
func openProto(ctx context.Context, file string) func(string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) {
		var data []byte
		var err error
		if filepath.Clean(name) == filepath.Clean(file) {
			data, err = input.ReadFile(ctx, name, maxFile)
		} else {
			data, err = input.ReadRegular(name, maxFile)
		}
		return io.NopCloser(bytes.NewReader(data)), err
	}
}

// describedBy finds the method in a .proto file. Its imports are looked for beside it
// and in dir.
func describedBy(ctx context.Context, file, dir string, m *method) (protoreflect.MethodDescriptor, error) {
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(
		&protocompile.SourceResolver{ImportPaths: []string{filepath.Dir(file), dir}, Accessor: openProto(ctx, file)})}
	files, err := compiler.Compile(ctx, filepath.Base(file))
	if err != nil {
		return nil, fmt.Errorf("the description of %s: %w", m, err)
	}
	return m.in(files[0].FindDescriptorByName(protoreflect.FullName(m.service)), file)
}

// in finds the method in the descriptor with the name of its service.
func (m *method) in(found protoreflect.Descriptor, where string) (protoreflect.MethodDescriptor, error) {
	service, ok := found.(protoreflect.ServiceDescriptor)
	if !ok {
		return nil, fmt.Errorf("there is no service %s in %s; write the method as package.Service/Method",
			m.service, where)
	}
	described := service.Methods().ByName(protoreflect.Name(m.name))
	if described == nil {
		return nil, fmt.Errorf("the service %s in %s has no method %s", m.service, where, m.name)
	}
	return described, nil
}

// describedByServer asks the server for the file that has the service and for
// all that it imports.
func describedByServer(ctx context.Context, conn *grpc.ClientConn, m *method) (protoreflect.MethodDescriptor, error) {
	ctx, cancel := context.WithCancel(ctx) // ends the stream
	defer cancel()
	stream, err := reflection.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	if err != nil {
		return nil, err
	}
	// A server sends a file without the files that it imports, or with some of them: ask for
	// the rest until nothing is missing.
	set := &descriptorpb.FileDescriptorSet{}
	have := map[string]bool{}
	ask := func(request *reflection.ServerReflectionRequest) error {
		files, err := reflected(stream, request)
		for _, f := range files {
			if !have[f.GetName()] {
				have[f.GetName()] = true
				set.File = append(set.File, f)
			}
		}
		return err
	}
	err = ask(&reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: m.service}})
	for i := 0; err == nil && i < len(set.File); i++ {
		for _, name := range set.File[i].GetDependency() {
			if !have[name] && err == nil {
				err = ask(&reflection.ServerReflectionRequest{
					MessageRequest: &reflection.ServerReflectionRequest_FileByFilename{FileByFilename: name}})
			}
		}
	}

	// The user can help if the server does not answer, or does not know the method.
	switch {
	case status.Code(err) == codes.Unimplemented:
		return nil, &CallError{
			errors.New("the server does not describe its methods (no gRPC reflection, v1); give -load proto=FILE")}
	case err != nil:
		return nil, fmt.Errorf("asking the server for %s by reflection: %w", m, err)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, fmt.Errorf("the server's description of %s: %w", m, err)
	}
	found, _ := files.FindDescriptorByName(protoreflect.FullName(m.service)) // nil is reported below
	described, err := m.in(found, "the server")
	if err != nil {
		return nil, &CallError{err}
	}
	return described, nil
}

func reflected(stream reflection.ServerReflection_ServerReflectionInfoClient,
	request *reflection.ServerReflectionRequest) ([]*descriptorpb.FileDescriptorProto, error) {
	if err := stream.Send(request); err != nil {
		_, err = stream.Recv() // Send says only that the stream has ended
		return nil, err
	}
	answer, err := stream.Recv()
	if err != nil {
		return nil, err
	}
	if e := answer.GetErrorResponse(); e != nil {
		return nil, errors.New(e.GetErrorMessage())
	}
	var files []*descriptorpb.FileDescriptorProto
	for _, data := range answer.GetFileDescriptorResponse().GetFileDescriptorProto() {
		f := &descriptorpb.FileDescriptorProto{}
		if err := proto.Unmarshal(data, f); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
