// Command payloadclone sends requests through a real gRPC server and client
// over loopback, in one process, and prints a check value of the responses.
//
// The server decodes the payload of a request into a record and clones the
// record N times, as a service does that writes replicas or fans out to shards.
// It changes each clone, folds all of them into a check value and answers with
// the last clone's payload.
//
// Its memory behaviour is known. The live heap is a few MiB: the requests in
// flight and gRPC's connections and buffers. All else dies with its request. A
// clone is four objects: the record, its payload, its origin and its labels.
// With small payloads and few clones gRPC's own allocations and system calls
// dominate; with 4 KiB and 32 clones the clones do, 128 KiB of them a request,
// and a heap so small is collected every few dozen requests.
//
// Expected: this project's arena saves about a tenth of the CPU in the small
// cells and more than half in 4KiBx32. The figures with their intervals are in
// docs/results/claims.md. This compares GOGC=400 and Go's own arena as well:
//
//	heapwright compare ./workloads/payloadclone -modes default,GOGC=400,arenas,tags=slabarena
//
// Where the request and its clones live is chosen by the build, so that one
// benchmark name compares them across modes: in an arena for each request, this
// project's with the tag slabarena and Go's own with GOEXPERIMENT=arenas;
// otherwise on the heap. The server decodes requests and encodes responses by
// code of its own, in all builds, because only such code can put a request where
// its clones live, and end that memory when the response has been encoded.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/heapwright/heapwright/workloads/program/command"
)

func main() {
	command.Exit("payloadclone", run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command: it prints one line.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("payloadclone", flag.ContinueOnError)
	size := flags.Int("payload", 1024, "bytes of payload in a request")
	clones := flags.Int("clones", 8, "clones of each request")
	requests := flags.Int("requests", 20000, "requests to send")
	callers := flags.Int("callers", 8, "requests under way at a time")
	if err := command.Parse(flags, args, stderr); err != nil {
		return err
	}
	if *size < minPayload || *size > maxPayload {
		return command.Usagef("-payload %d: use %d to %d bytes", *size, minPayload, maxPayload)
	}
	if *clones < 1 || *requests < 1 || *callers < 1 {
		return command.Usagef("-clones, -requests and -callers: use 1 or more")
	}

	loop, err := listen(*clones)
	if err != nil {
		return err
	}
	sum, err := loop.send(ctx, payload(*size), *requests, *callers)
	if err := errors.Join(err, loop.close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d requests of %d bytes, cloned %d times in %s\t check: %016x\n",
		*requests, *size, *clones, where, sum)
	return err
}
