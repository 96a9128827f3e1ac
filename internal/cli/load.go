package cli

import (
	"errors"
	"flag"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/load"
)

// loadFlags say with what a server is loaded, and how.
type loadFlags struct {
	serve                                   string
	url, method, body, headers, requests    string
	grpc, proto, data                       string
	rate                                    float64
	shape                                   string
	warmup, duration, stormLength, readyFor time.Duration
	stormFactor                             float64
	storms                                  int
	ready                                   string
}

func (l *loadFlags) register(fs *flag.FlagSet) {
	d, _ := load.Plan{}.WithDefaults() // which are possible
	fs.StringVar(&l.serve, "serve", "", "measure the server that `COMMAND` starts, with -url; or name it after --, or give -main")
	fs.StringVar(&l.url, "url", "", "load the server at `URL`; "+load.Port+" in it and in the server's arguments is a free port")
	fs.StringVar(&l.method, "method", "", "send requests with this `METHOD` (default GET, with -body POST)")
	fs.StringVar(&l.body, "body", "", "send the contents of `FILE` with each request")
	fs.StringVar(&l.headers, "headers", "", "send the lines of `FILE`, \"Name: value\", as headers of each request")
	fs.StringVar(&l.requests, "requests", "", "instead of -url: send the requests listed in `FILE`, in vegeta's format http or json")
	fs.StringVar(&l.grpc, "grpc", "", "call this unary gRPC `METHOD`, package.Service/Method, at the host and port of -url")
	fs.StringVar(&l.proto, "proto", "", "with -grpc: the .proto `FILE` that describes the method (default: the server is asked, by reflection)")
	fs.StringVar(&l.data, "data", "", "with -grpc: send the message in `FILE` as JSON, or each of a JSON array in turn")
	fs.Float64Var(&l.rate, "rate", 0, "send `N` requests a second; in a storm more, up to it in a ramp (default: chosen so that the baseline is not saturated)")
	fs.StringVar(&l.shape, "shape", d.Shape, "of the load: `SHAPE` is one of "+strings.Join(load.Shapes(), ", "))
	fs.DurationVar(&l.warmup, "warmup", d.Warmup, "load the server this long before measuring, at the load's peak, in the last quarter at the calm rate")
	fs.DurationVar(&l.duration, "duration", d.Duration, "load it this long in each run, with -shape lifetime at most")
	fs.Float64Var(&l.stormFactor, "storm-factor", d.Factor, "a storm is so many times the rate")
	fs.IntVar(&l.storms, "storms", d.Storms, "storms in a run")
	fs.DurationVar(&l.stormLength, "storm-length", d.StormLength, "of one storm")
	fs.StringVar(&l.ready, "ready", "", "the server is ready when this `URL` answers with a status below 500 (default: the first request)")
	fs.DurationVar(&l.readyFor, "ready-timeout", experiment.DefaultReadyTimeout, "wait this long for the server to be ready")
}

// given reports whether anything says that the target is a server.
func (l *loadFlags) given() bool {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	var none loadFlags
	none.register(fs)
	return *l != none
}

// server makes the command a server; dir is where files are.
func (l *loadFlags) server(command experiment.Command, dir string) (experiment.Target, error) {
	source := load.Source{URL: l.url, Method: l.method, Body: l.body, Headers: l.headers, List: l.requests}
	switch {
	case l.url == "" && l.requests == "":
		return nil, usagef("a server under load needs -url or -requests")
	case l.grpc == "" && (l.proto != "" || l.data != ""):
		return nil, usagef("-proto and -data belong to a gRPC method; name it with -grpc package.Service/Method")
	case l.grpc != "":
		source.GRPC = &load.GRPC{Method: l.grpc, Proto: l.proto, Data: l.data}
	}
	if l.ready != "" {
		if err := load.CheckURL(l.ready); err != nil {
			return nil, usagef("-ready: %w", err)
		}
	}
	if !(l.rate >= 0) || l.rate > load.MaxRate {
		return nil, usagef("-rate %g: give requests per second, at most %d, or nothing to have the rate chosen", l.rate, load.MaxRate)
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
		bad = errors.New("-shape lifetime loads the server until the kernel kills it for want of memory; say with -memory, of compare, how much it has")
	}
	requests, err := source.Read(dir)
	if err := errors.Join(bad, err); err != nil {
		return nil, usageError{err}
	}
	return &experiment.Server{
		Command: command, Requests: requests, Plan: plan, Rate: l.rate,
		Ready: experiment.Ready{URL: l.ready, Timeout: l.readyFor},
	}, nil
}

// words splits a command as a shell does without variables and patterns:
// spaces divide, quotes of both kinds hold together.
func words(command string) ([]string, error) {
	var all []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, c := range command {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				all = append(all, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, usagef("-serve %s: a quote is not closed", command)
	}
	if inWord {
		all = append(all, word.String())
	}
	return all, nil
}
