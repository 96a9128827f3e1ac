// Otlpingest compares the decoders of workloads/otlpingest under load, by
// heapwright compare. It prints docs/results/otlpingest.md.
//
//	go -C bench run ./otlpingest > docs/results/otlpingest.md
//
// The receiver is built in a temporary workspace where OTLP's messages have the methods
// that vtprotobuf generates.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/vtprotobuf"
)

const about = `It compares the decoders of workloads/otlpingest by heapwright compare. The baseline decodes with proto.Unmarshal, and JSON with
protojson. The methods of vtprotobuf, which has none for JSON, are generated before the measurement.
Requests of 512 records are sent at a fixed rate, at which the baseline takes about half of a core.
`

// A protocol is a way to send OTLP.
type protocol struct {
	name, title, about string
	load               string   // the flag of heapwright; DIR is the folder of the requests
	url                []string // the flags for the server's address, if the requests do not have it
	serve              []string // the receiver's arguments
	// rate in requests per second keeps the baseline at about half of a core. At a
	// tenth of one, most of the memory is the idle process's, and the p99 is
	// the time to wake it.
	rate float64
}

var protocols = []protocol{
	{
		name: "http", title: "Over HTTP, in protobuf", about: "Traces, metrics and logs in turn.", rate: 200,
		load: "requests=DIR/requests.json,ready=http://127.0.0.1:{port}/counts", serve: []string{"-http", "127.0.0.1:{port}", "-grpc", ""},
	},
	{
		name: "grpc", title: "Over gRPC", about: "Traces.", rate: 120,
		load: "grpc=opentelemetry.proto.collector.trace.v1.TraceService/Export,data=DIR/traces.json",
		url:  []string{"-url", "http://127.0.0.1:{port}"}, serve: []string{"-http", "", "-grpc", "127.0.0.1:{port}"},
	},
	{
		name: "json", title: "Over HTTP, in JSON", about: "Traces, metrics and logs in turn, as the collector's exporter writes them.", rate: 50,
		load: "requests=DIR/requests-in-json.json,ready=http://127.0.0.1:{port}/counts", serve: []string{"-http", "127.0.0.1:{port}", "-grpc", ""},
	},
}

// options are the options of each comparison.
type options struct {
	budget, duration time.Duration
	blocks           int
	rate             float64 // 0 is the protocol's
	decoders, only   string  // separated by commas
}

func main() {
	var o options
	flag.DurationVar(&o.budget, "budget", 6*time.Minute, "measure each protocol for at most this `TIME`; it takes about 4 minutes")
	flag.IntVar(&o.blocks, "blocks", 12, "measure `N` blocks, with one analysis at the end")
	flag.DurationVar(&o.duration, "duration", 2*time.Second, "of one run under load; it takes 100 requests to have a p99")
	flag.Float64Var(&o.rate, "rate", 0, "send `N` requests per second; by default so many that heap takes half of a core")
	flag.StringVar(&o.decoders, "decoders", "arenapb,pdata,vtprotobuf", "compare these `DECODERS` with heap, separated by commas")
	flag.StringVar(&o.only, "protocols", "http,grpc,json", "measure these `PROTOCOLS`, separated by commas")
	program.Main(program.InScratch(func(ctx context.Context, dir string) (err error) {
		p := page.Page{File: "otlpingest.md", Title: "An OTLP receiver under load", About: about}
		if p.Sections, err = measure(ctx, dir, o); err == nil {
			fmt.Print(p.String("otlpingest"))
		}
		return err
	}))
}

// measure returns the sections of the page.
func measure(ctx context.Context, dir string, o options) ([]page.Section, error) {
	only := strings.Split(o.only, ",")
	for _, name := range only {
		if !slices.ContainsFunc(protocols, func(p protocol) bool { return p.name == name }) {
			return nil, fmt.Errorf("-protocols: %q is not known: use http, grpc or json", name)
		}
	}
	modules := vtprotobuf.Modules{vtprotobuf.OTLP: vtprotobuf.OTLPFiles}
	workspace, err := modules.Workspace(ctx, filepath.Join(dir, "vtprotobuf"), workload)
	if err != nil {
		return nil, err
	}
	tool, err := program.Heapwright(ctx, "", dir)
	if err != nil {
		return nil, err
	}
	if err := (program.In{Dir: workload}).Run(ctx, "go", "run", ".", "-requests", dir); err != nil {
		return nil, err
	}
	var sections []page.Section
	for _, p := range protocols {
		if !slices.Contains(only, p.name) {
			continue
		}
		summary, err := p.compare(ctx, o, tool, dir, workspace)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		sections = append(sections, page.Section{Title: p.title, Text: p.about + "\n\n" + string(summary)})
	}
	return sections, nil
}

// workload is the folder of the receiver, relative to this module's.
const workload = "../workloads/otlpingest"

// compare returns the summary that heapwright writes for a pull request.
func (p protocol) compare(ctx context.Context, o options, tool, dir, workspace string) ([]byte, error) {
	modes := "default"
	for _, d := range strings.Split(o.decoders, ",") {
		if d == "vtprotobuf" && p.name == "json" {
			continue // it is the baseline there
		}
		modes += ",OTLPINGEST_DECODER=" + d
	}
	if o.rate != 0 {
		p.rate = o.rate
	}
	load := fmt.Sprintf("%s,rate=%g,duration=%v,warmup=1s", strings.ReplaceAll(p.load, "DIR", dir), p.rate, o.duration)
	out := filepath.Join(dir, p.name)
	args := []string{tool, "compare", "-C", workload, "-main", ".", "-budget", o.budget.String(), "-blocks", strconv.Itoa(o.blocks), "-o", out, "-modes", modes, "-load", load}
	args = append(append(append(args, p.url...), "--"), p.serve...)
	if err := (program.In{Env: []string{"GOWORK=" + workspace}}).Run(ctx, args...); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(out, "summary.md"))
}
