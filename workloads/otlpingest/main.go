// Command otlpingest receives OTLP over gRPC and over HTTP: traces, metrics and
// logs. It validates each record, filters out the noise, and counts the rest by
// service. Nothing of a request is kept.
//
// The flag -decoder, or the variable OTLPINGEST_DECODER, chooses how requests are
// decoded:
//
//	heap        proto.Unmarshal and gRPC's own codec; the usual way
//	arenapb     package arenapb: arenagrpc.DecodeRequests and otlphttp.NewHandler
//	pdata       the data model of the OpenTelemetry Collector
//	vtprotobuf  the methods that vtprotobuf generates, in a binary of bench/otlpingest,
//	            which adds them to the message types; JSON as with heap
//
// All of them answer the same requests equally, with one exception: pdata does
// not check that text is UTF-8. Over HTTP they take protobuf and JSON.
//
//	otlpingest -http 127.0.0.1:4318 -grpc 127.0.0.1:4317
//	curl http://127.0.0.1:4318/counts
//	otlpingest -requests DIR
//
// The first line serves until SIGTERM or SIGINT ends it. The last line writes the
// requests of a load for heapwright to DIR and ends: requests.json, traces,
// metrics and logs in turn over HTTP, requests-in-json.json, the same in JSON, and
// traces.json for gRPC.
//
// The heap variant makes 0.4 to 1.5 MB of garbage per request of 512 records, and the
// decoder nearly all of it. An arena holds 1.4 MB once it has served a request of
// each signal. There are as many as requests were ever decoded or exported at the
// same time. They are live heap, so with GOGC=100 the heap grows to twice their size
// before a collection: about one in five seconds, where the heap variant has 20 in a
// second.
//
// Expected with go1.26.8: per request, the arenapb variant takes a fifth of the heap
// variant's CPU time over HTTP, a quarter over gRPC, and a tenth in JSON. Its peak
// RSS over HTTP is the same: 24 MB, of which 14 are the program itself. Over gRPC it is
// a fifth lower, because the heap variant holds more messages at a time.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/heapwright/heapwright/workloads/program/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command.Exit("otlpingest", run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It prints the addresses once it serves.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("otlpingest", flag.ContinueOnError)
	http := flags.String("http", "127.0.0.1:4318", "address to serve OTLP/HTTP on; \"\" serves none, port 0 takes a free one")
	grpc := flags.String("grpc", "127.0.0.1:4317", "address to serve OTLP/gRPC on; \"\" serves none, port 0 takes a free one")
	decoder := flags.String("decoder", decoderName(), "how to decode: heap, arenapb, pdata or vtprotobuf")
	requests := flags.String("requests", "", "write the requests of a load to the folder `DIR` and end")
	records := flags.Int("records", batch, "of each request that -requests writes")
	if err := command.Parse(flags, args, stderr); err != nil {
		return err
	}
	if *requests != "" {
		if *records < 1 {
			return command.Usagef("-records: use 1 or more")
		}
		return writeRequests(*requests, *records)
	}
	register, ok := decoders[*decoder]
	switch {
	case *decoder == "vtprotobuf" && !ok:
		return command.Usagef("-decoder: this binary has no methods of vtprotobuf: go -C bench run ./otlpingest builds one")
	case !ok:
		return command.Usagef("-decoder: %q is not known: use heap, arenapb, pdata or vtprotobuf", *decoder)
	}
	if *http == "" && *grpc == "" {
		return command.Usagef("-http and -grpc are both empty: nothing to serve")
	}
	s, err := start(register(newCounts()), *http, *grpc)
	if err != nil {
		return err
	}
	return errors.Join(s.wait(ctx, stdout), s.stop())
}

// decoderName returns the decoder that the environment asks for.
func decoderName() string { return cmp.Or(os.Getenv("OTLPINGEST_DECODER"), "heap") }

// decoders are the variants, by name.
var decoders = func() map[string]func(*counts) receiver {
	all := map[string]func(*counts) receiver{"heap": newHeap, "arenapb": newArena, "pdata": newPdata}
	if hasVT() {
		all["vtprotobuf"] = newVT
	}
	return all
}()
