package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	prompb "buf.build/gen/go/prometheus/prometheus/protocolbuffers/go"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/vtprotobuf"
)

// vtModules are the modules of messages that are published without
// vtprotobuf's methods, each with the files to generate methods for. Their
// imports follow.
var vtModules = vtprotobuf.Modules{
	vtprotobuf.OTLP: vtprotobuf.OTLPFiles,
	"buf.build/gen/go/prometheus/prometheus/protocolbuffers/go": {prompb.File_remote_proto},
}

// hasMethods reports whether this program was built with generated methods.
func hasMethods() bool {
	_, ok := any(new(collector.ExportTraceServiceRequest)).(plainVT)
	return ok
}

// runWithMethods builds this program with copies of vtModules that have
// vtprotobuf's methods, and runs it.
func runWithMethods(ctx context.Context, dir string, args []string, stdout io.Writer) error {
	bench, err := vtprotobuf.ModuleDir(ctx, "github.com/heapwright/heapwright/bench")
	if err != nil {
		return err
	}
	workspace, err := vtModules.Workspace(ctx, dir)
	if err != nil {
		return err
	}
	measure := filepath.Join(dir, "measure")
	if err := (program.In{Dir: bench, Env: []string{"GOWORK=" + workspace}}).Build(ctx, measure, "./arenapb"); err != nil {
		return fmt.Errorf("building with vtprotobuf's methods: %w", err)
	}
	run := program.In{}.Command(ctx, slices.Concat([]string{measure}, args)...)
	run.Stdout = stdout
	if err := run.Run(); err != nil {
		return fmt.Errorf("measuring with vtprotobuf's methods: %w", err)
	}
	return nil
}
