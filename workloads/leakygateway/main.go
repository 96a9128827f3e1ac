// Command leakygateway is a gateway for telemetry as it is found in code
// reviews: it works, its tests pass, and it wastes memory in half a dozen ways
// that each looked harmless when it was written. Beside it stands its cure,
// which answers the same requests with the same bytes.
//
// What it does: agents post batches of readings, a line each; the gateway
// looks up the series that a line belongs to, translates the batch to JSON,
// stores it upstream over loopback, and hands the receipt back.
//
// Its memory behaviour is known. In leaky.go
//   - the cache of series has no bound, and agents that restart bring new series;
//   - what it keeps are substrings of a batch, and each keeps the whole batch;
//   - a body becomes a string, and the answer bytes again, in every request;
//   - slices and maps whose size is known grow step by step;
//   - labels are copied for every line, only to be read;
//   - keys and times are formatted for every line, also those seen before.
//
// Process, which translates a batch, makes with what it calls two thirds of the
// bytes and four fifths of the objects of a request. In cured.go the cache is a
// bounded LRU that owns what it keeps, bodies live in buffers of a pool and stay
// bytes, and what a line has in common with the line before is not made again.
// JSON is made by the same package in both.
//
// What to expect: a request of the cured gateway takes about 0.6 of the CPU, a
// quarter of the bytes and half of the objects (process CPU time of Request on
// go1.26.8, linux/amd64, two cores), and its heap does not grow.
//
//	leakygateway -addr 127.0.0.1:8080 [-cured]
//	curl --data-binary 'cpu,host=web-1 0.5 1700000000' http://127.0.0.1:8080/v1/acme/readings
//	leakygateway -requests 20000 [-cured]
//
// The first line serves; with it come /healthz, Prometheus' /metrics and
// /debug/pprof/, and SIGTERM and SIGINT end it cleanly. The last sends itself
// that many requests and prints what they took. Built with the tag cured the
// gateway is the cured one unless -cured=false, so that modes compare the two:
//
//	heapwright compare -main ./workloads/leakygateway -modes default,tags=cured -- -requests 20000
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.As(err, new(usageError)):
		fmt.Fprintln(os.Stderr, "leakygateway:", err)
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "leakygateway:", err)
		os.Exit(1)
	}
}

// usageError is a mistake in the arguments.
type usageError struct{ error }

// run is the command. It prints the address once it serves.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("leakygateway", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main reports the error, once
	cured := flags.Bool("cured", curedByDefault, "serve without the faults")
	addr := flags.String("addr", "127.0.0.1:8080", "address to serve on; port 0 takes a free one")
	requests := flags.Int("requests", 0, "send itself this many requests and end, instead of serving")
	callers := flags.Int("callers", 4, "how many of them are under way at a time")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		flags.PrintDefaults()
		return err
	} else if err != nil {
		return usageError{fmt.Errorf("%w: run leakygateway -h for the flags", err)}
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("argument %q: the command takes flags only", flags.Arg(0))}
	}
	if *requests < 0 || *callers < 1 {
		return usageError{errors.New("-requests: use 0 or more; -callers: use 1 or more")}
	}
	if *requests > 0 {
		*addr = "127.0.0.1:0"
	}

	gateway, err := start(*addr, *cured)
	if err != nil {
		return err
	}
	if *requests > 0 {
		err := drive(ctx, stdout, gateway.listener.Addr().String(), *requests, *callers)
		return errors.Join(err, gateway.stop())
	}
	fmt.Fprintf(stdout, "serving http://%s\n", gateway.listener.Addr())
	select {
	case err := <-gateway.ended:
		return errors.Join(err, gateway.stop())
	case <-ctx.Done():
		return gateway.stop()
	}
}

// running is a gateway that serves, and the service behind it.
type running struct {
	listener net.Listener
	server   *http.Server
	upstream *upstream
	ended    chan error // gets the error if serving ends by itself
}

func start(addr string, cured bool) (*running, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w: choose a free port with -addr", err)
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
	r := &running{
		listener: listener,
		server:   &http.Server{Handler: routes(readings), ReadHeaderTimeout: 10 * time.Second},
		upstream: up,
		ended:    make(chan error, 1),
	}
	go func() { r.ended <- r.server.Serve(listener) }()
	return r, nil
}

// stop ends the gateway after the requests under way.
func (r *running) stop() error {
	defer r.upstream.close()
	bounded, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := r.server.Shutdown(bounded); err != nil {
		return fmt.Errorf("requests under way did not end within 10 s: %w", err)
	}
	return nil
}
