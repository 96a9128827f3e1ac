// Command leakygateway is a gateway for telemetry as it is found in code
// reviews: it works, its tests pass, and it wastes memory in half a dozen ways
// that each looked harmless when it was written. Beside it stands its cure,
// which answers the same requests with the same bytes.
//
// Agents post batches of readings, one a line. The gateway looks up the series
// that a line belongs to, translates the batch to JSON, stores it upstream over
// loopback, and returns the receipt.
//
// Its memory behaviour is known. In leaky.go
//   - the cache of series has no bound, and agents that restart bring new series;
//   - the cache keeps substrings of a batch, and each retains the whole batch;
//   - a body becomes a string, and the answer bytes again, in every request;
//   - slices and maps whose size is known grow step by step;
//   - labels are copied for every line, only to be read;
//   - keys and times are formatted for every line, also those seen before.
//
// Process, which translates a batch, allocates with its callees two thirds of the
// bytes and four fifths of the objects of a request. In cured.go the cache is a
// bounded LRU that owns its strings, bodies live in pooled buffers and stay bytes,
// and strings that a line shares with the line before are not allocated again.
// JSON is made by the same package in both.
//
// Expected: a request of the cured gateway takes about 0.6 of the CPU, a quarter
// of the bytes and half of the objects (process CPU time of Request on
// go1.26.8, linux/amd64, two cores), and its heap does not grow.
//
//	leakygateway -addr 127.0.0.1:8080 [-cured]
//	curl --data-binary 'cpu,host=web-1 0.5 1700000000' http://127.0.0.1:8080/v1/acme/readings
//	leakygateway -requests 20000 [-cured]
//
// The first line serves the API, /healthz, Prometheus' /metrics and
// /debug/pprof/ until SIGTERM or SIGINT ends it cleanly. The last line sends
// itself that many requests and prints their cost. Built with the tag cured, the
// gateway is the cured one unless -cured=false, so that modes compare the two:
//
//	heapwright compare -main ./workloads/leakygateway -modes default,tags=cured -- -requests 20000
package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/heapwright/heapwright/workloads/program/command"
	"github.com/heapwright/heapwright/workloads/program/service"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command.Exit("leakygateway", run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command. It prints the address once it serves.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("leakygateway", flag.ContinueOnError)
	cured := flags.Bool("cured", curedByDefault, "serve without the faults")
	addr := flags.String("addr", "127.0.0.1:8080", "address to serve on; port 0 takes a free one")
	requests := flags.Int("requests", 0, "send itself this many requests and end, instead of serving")
	callers := flags.Int("callers", 4, "how many of them are under way at a time")
	if err := command.Parse(flags, args, stderr); err != nil {
		return err
	}
	if *requests < 0 || *callers < 1 {
		return command.Usagef("-requests: use 0 or more; -callers: use 1 or more")
	}
	if *requests > 0 {
		*addr = "127.0.0.1:0"
	}

	gateway, err := start(*addr, *cured)
	if err != nil {
		return err
	}
	if *requests > 0 {
		err = drive(ctx, stdout, gateway.Addr(), *requests, *callers)
	} else {
		err = gateway.Wait(ctx, stdout)
	}
	return errors.Join(err, gateway.stop())
}

// running is a gateway that serves, and the service behind it.
type running struct {
	*service.Server
	upstream *upstream
}

func start(addr string, cured bool) (*running, error) {
	listener, err := service.Listen(addr)
	if err != nil {
		return nil, err
	}
	up, err := startUpstream()
	if err != nil {
		listener.Close()
		return nil, err
	}
	var readings http.Handler = newLeaky(up)
	if cured {
		readings = newCured(up)
	}
	return &running{service.Start(listener, routes(readings)), up}, nil
}

// stop ends the gateway after the requests under way, then the service behind it.
func (r *running) stop() error {
	defer r.upstream.close()
	return r.Stop()
}
