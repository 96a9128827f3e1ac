package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/vtprotobuf"
)

// The receiver's own tests pass with the decoder that is generated here.
func TestReceiverWithGeneratedMethods(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the receiver")
	}
	receiver := filepath.Join("..", workload)
	modules := vtprotobuf.Modules{vtprotobuf.OTLP: vtprotobuf.OTLPFiles}
	workspace, err := modules.Workspace(t.Context(), t.TempDir(), receiver)
	if err != nil {
		t.Fatal(err)
	}
	in := program.In{Dir: receiver, Env: []string{"GOWORK=" + workspace, "OTLPINGEST_DECODER=vtprotobuf"}}
	out, err := in.Output(t.Context(), nil, "go", "test", "-v", "-run", "TestAllVariants", "-bench", ".", "-benchtime", "1x", ".")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"--- PASS: TestAllVariantsReadJSON/vtprotobuf", "--- PASS: TestAllVariantsServeGRPC/vtprotobuf", "--- PASS: TestAllVariantsCountEqually/vtprotobuf",
		"\nBenchmarkHTTP/traces", "\nBenchmarkJSON/metrics", "\nBenchmarkGRPC/logs",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q:\n%s", want, out)
		}
	}
}

// The diagnosis of the heap variant names the decode, and arenas as its remedy, with the
// lines to change: of a server under load and of benchmarks.
func TestDiagnosisNamesTheDecode(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the receiver and loads it")
	}
	dir := t.TempDir()
	receiver := filepath.Join("..", workload)
	tool, err := program.Heapwright(t.Context(), "", dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := (program.In{Dir: receiver}).Run(t.Context(), "go", "run", ".", "-requests", dir); err != nil {
		t.Fatal(err)
	}
	const byHTTP, byGRPC = "err = arenapb.Unmarshal(a, body, request)", "grpc.NewServer(append(arenagrpc.DecodeRequests(&pool), "
	underLoad := func(p protocol) []string {
		load := strings.ReplaceAll(p.load, "DIR", dir) + ",rate=30,duration=3s,warmup=1s"
		return append(append([]string{"-main", ".", "-load", load}, p.url...), append([]string{"--"}, p.serve...)...)
	}
	for _, c := range []struct {
		name, example string
		target        []string
	}{
		{"HTTP under load", byHTTP, underLoad(protocols[0])},
		{"gRPC under load", byGRPC, underLoad(protocols[1])},
		{"benchmark of HTTP", byHTTP, []string{"-bench", "HTTP", "."}},
		{"benchmark of gRPC", byGRPC, []string{"-bench", "GRPC", "."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := []string{tool, "diagnose", "-json", "-C", receiver, "-budget", "20s", "-o", t.TempDir()}
			out, err := program.In{}.Output(t.Context(), nil, append(args, c.target...)...)
			if err != nil {
				t.Fatal(err)
			}
			var document struct {
				Findings []struct{ Rule, File, Remedy, Example string }
			}
			if err := json.Unmarshal(out, &document); err != nil {
				t.Fatal(err)
			}
			all := document.Findings
			// A setting of the collector, which is about no line, may rank above it.
			i := slices.IndexFunc(all, func(f struct{ Rule, File, Remedy, Example string }) bool { return f.Rule != "frequent-gc" })
			if i < 0 || all[i].Rule != "protobuf-decoding" || !strings.Contains(all[i].Example, c.example) || !strings.Contains(all[i].Remedy, "arena") {
				t.Errorf("%+v", all)
			}
		})
	}
}
