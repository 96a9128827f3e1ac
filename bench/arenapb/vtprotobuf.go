package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	prompb "buf.build/gen/go/prometheus/prometheus/protocolbuffers/go"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"

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
func runWithMethods(args []string, stdout io.Writer) error {
	dir, err := os.MkdirTemp("", "arenapb-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	signal.Notify(make(chan os.Signal, 1), os.Interrupt) // it ends the other program; the folder is removed here
	bench, err := vtprotobuf.ModuleDir("github.com/heapwright/heapwright/bench")
	if err != nil {
		return err
	}
	workspace, err := vtModules.Workspace(dir)
	if err != nil {
		return err
	}
	program := filepath.Join(dir, "measure")
	build := exec.Command("go", "build", "-o", program, "./arenapb")
	build.Dir, build.Env, build.Stderr = bench, append(os.Environ(), "GOWORK="+workspace), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building with vtprotobuf's methods: %w", err)
	}
	run := exec.Command(program, args...)
	run.Stdout, run.Stderr = stdout, os.Stderr
	if err := run.Run(); err != nil {
		return fmt.Errorf("measuring with vtprotobuf's methods: %w", err)
	}
	return nil
}
