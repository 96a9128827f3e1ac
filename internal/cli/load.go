package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/survey"
	"github.com/heapwright/heapwright/internal/target"
)

// loadFlags say how a server under load is reached and loaded.
type loadFlags struct {
	url                                     string
	spec                                    *flag.FlagSet // the keys of -load
	method, body, headers, requests         string
	grpc, proto, data                       string
	rate                                    float64
	shape                                   string
	warmup, duration, stormLength, readyFor time.Duration
	stormFactor                             float64
	storms                                  int
	ready                                   string
}

func (l *loadFlags) register(fs *flagSet) {
	l.spec = l.keys()
	fs.target.common.StringVar(&l.url, "url", "", "load the server at `URL`; "+load.Port+" in it and in the server's arguments is a free port")
	fs.target.common.Var(loadSpec{l.spec}, "load", "load the server as `SPEC` describes: KEY=VALUE pairs separated by commas, such as rate=200,duration=10s,shape=storm")
}

// keys are the keys of -load, as flags without their dash.
func (l *loadFlags) keys() *flag.FlagSet {
	d, _ := load.Plan{}.WithDefaults() // the defaults are possible
	fs := flag.NewFlagSet("load", flag.ContinueOnError)
	fs.StringVar(&l.method, "method", "", "send requests with `METHOD` (default GET, or POST if there is a body)")
	fs.StringVar(&l.body, "body", "", "send the contents of `FILE` with each request")
	fs.StringVar(&l.headers, "headers", "", "send the lines of `FILE`, \"Name: value\", as headers of each request")
	fs.StringVar(&l.requests, "requests", "", "send the requests listed in `FILE` instead of -url, in vegeta's format http or json")
	fs.StringVar(&l.grpc, "grpc", "", "call the unary gRPC `METHOD`, package.Service/Method, at the host and port of -url")
	fs.StringVar(&l.proto, "proto", "", "with grpc: the .proto `FILE` that describes the method (default: ask the server, by reflection)")
	fs.StringVar(&l.data, "data", "", "with grpc: send the JSON message in `FILE`, or the messages of a JSON array in turn")
	fs.Float64Var(&l.rate, "rate", 0, "send `N` requests per second; storms send more, a ramp ends there (default: a rate that does not saturate the baseline)")
	fs.StringVar(&l.shape, "shape", d.Shape, "`SHAPE` of the load: one of "+strings.Join(load.Shapes(), ", "))
	fs.DurationVar(&l.warmup, "warmup", d.Warmup, "load the server for `TIME` before measuring, at the peak rate, and for the last quarter at the calm rate")
	fs.DurationVar(&l.duration, "duration", d.Duration, "load the server for `TIME` in each run; with shape=lifetime, for at most this long")
	fs.Float64Var(&l.stormFactor, "storm-factor", d.Factor, "multiply the rate by `N` in a storm")
	fs.IntVar(&l.storms, "storms", d.Storms, "send `N` storms in each run")
	fs.DurationVar(&l.stormLength, "storm-length", d.StormLength, "let each storm last `TIME`")
	fs.StringVar(&l.ready, "ready", "", "the server is ready when `URL` answers with a status below 500 (default: the URL of the first request)")
	fs.DurationVar(&l.readyFor, "ready-timeout", target.DefaultReadyTimeout, "wait at most `TIME` for the server to become ready")
	return fs
}

// fit shortens the load of a run to a budget, unless its duration is given, so that
// a small budget is enough for some blocks. A shape that does not fit into less
// keeps its duration. The note says so, and is empty if nothing was shortened.
func (l *loadFlags) fit(budget time.Duration) (note string) {
	const runs = 60 // the budget is enough for these
	d, w := max(budget/runs, 3*time.Second), max(budget/runs/5, time.Second)
	usual := l.duration
	if !l.given() || budget == 0 || d >= usual || l.set("duration") || l.set("warmup") {
		return ""
	}
	plan := load.Plan{Shape: l.shape, Warmup: w, Duration: d, Factor: l.stormFactor, Storms: l.storms, StormLength: l.stormLength}
	if _, err := plan.WithDefaults(); err != nil || plan.UntilEnd() {
		return ""
	}
	l.warmup, l.duration = w.Round(time.Second), d.Round(time.Second)
	return fmt.Sprintf("the server is loaded for %v in each run, to keep to the budget; -load duration=%v is the usual", l.duration, usual)
}

// set reports whether a key of -load is given.
func (l *loadFlags) set(key string) (set bool) {
	l.spec.Visit(func(f *flag.Flag) { set = set || f.Name == key })
	return set
}

// given reports whether anything says that the target is a server.
func (l *loadFlags) given() bool { return l.url != "" || l.spec.NFlag() > 0 }

// server makes the command a server; dir is where files are.
func (l *loadFlags) server(ctx context.Context, command target.Command, dir string) (target.Target, error) {
	source := load.Source{URL: l.url, Method: l.method, Body: l.body, Headers: l.headers, List: l.requests}
	switch {
	case l.url == "" && l.requests == "":
		return nil, usagef("a server under load needs -url, or -load requests=FILE")
	case l.grpc == "" && (l.proto != "" || l.data != ""):
		return nil, usagef("proto and data belong to a gRPC method; name it with -load grpc=package.Service/Method")
	case l.grpc != "":
		source.GRPC = &load.GRPC{Method: l.grpc, Proto: l.proto, Data: l.data}
	}
	if l.ready != "" {
		if err := load.CheckURL(l.ready); err != nil {
			return nil, usagef("-load ready: %w", err)
		}
	}
	if !(l.rate >= 0) || l.rate > load.MaxRate {
		return nil, usagef("-load rate=%g: give requests per second, at most %d, or nothing to have the rate chosen", l.rate, load.MaxRate)
	}
	plan := load.Plan{
		Shape: l.shape, Warmup: l.warmup, Duration: l.duration,
		Factor: l.stormFactor, Storms: l.storms, StormLength: l.stormLength,
	}
	if plan.Warmup == 0 {
		plan.Warmup = -1 // none, where 0 is the default
	}
	plan, bad := plan.WithDefaults()
	if bad == nil && plan.UntilEnd() && command.Memory == 0 {
		bad = errors.New("-load shape=lifetime loads the server until the kernel kills it for lack of memory; limit its memory with -memory of compare")
	}
	server := &target.Server{
		Command: command, Source: source, Plan: plan, Rate: l.rate,
		Ready: target.Ready{URL: l.ready, Timeout: l.readyFor},
	}
	if command.Main != "" {
		server.Routes = func() string { return survey.Routes(dir, command.Main) }
	}
	if err := errors.Join(bad, server.Open(ctx, dir)); err != nil {
		return nil, usageError{err}
	}
	return server, nil
}
