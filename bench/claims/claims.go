package main

import "github.com/heapwright/heapwright/internal/sample"

// claim is a published claim.
type claim struct {
	title   string
	source  string // address, or a description
	says    string
	remark  string   // on differences here
	cannot  string   // why it cannot be tested; "" where it can
	figures []figure // with the published value
	beside  []figure // the same work with this project's means
}

const (
	cpu = sample.Primary
	rss = "peak-RSS-bytes"
	ns  = "sec/op"

	floored = "gctune with a floor" // in storm.toml
)

var treesHere = []string{"trees-go1.26", "trees-go1.27"}

// ours are the modes of this project in the matrix, by metric.
func ours(what, benchmark string, from []string, metrics ...string) []figure {
	var all []figure
	for _, m := range metrics {
		title := sample.Lookup(m).Title
		all = append(all,
			figure{what: title + what + ", this project's arena", from: from, benchmark: benchmark, mode: "tags=slabarena", metric: m},
			figure{what: title + what + ", gctune's heap floor of 64 MiB", from: from, benchmark: benchmark, mode: "floor=64MiB", metric: m})
	}
	return all
}

// point is a published before and after.
func point(what string, before, after float64, f figure) figure {
	f.what, f.low, f.high = what, after/before, after/before
	return f
}

// cells is the published table of clones: nanoseconds before and after.
func cells(what, mode, metric string, before, after [4]float64, from ...string) []figure {
	var all []figure
	for i, name := range []string{"256Bx8", "1KiBx8", "4KiBx1", "4KiBx32"} {
		all = append(all, point(what+", "+name, before[i], after[i], figure{from: from, benchmark: "Clone/" + name, mode: mode, metric: metric}))
	}
	return all
}

var (
	unaided  = [4]float64{400.0, 1457.6, 337.2, 19246.6}
	objects  = [4]float64{10, 10, 1, 34}
	inArenas = [4]float64{3, 3, 1, 3}
	cells26  = []string{"clones-plain-go1.26", "clones-plain-go1.27"}
)

var claims = []claim{
	{
		title: "Go's arenas: binary trees", source: "uptrace.dev, golang-memory-arena",
		says: "77.27 → 35.25 s of user CPU, 532 → 385 MB.",
		figures: []figure{
			point("CPU", 77.27, 35.25, figure{from: []string{"trees-plain-go1.20", "trees-plain-go1.25"}, mode: "arenas", metric: cpu}),
			point("CPU", 77.27, 35.25, figure{from: treesHere, benchmark: "Tree/auto", mode: "arenas", metric: cpu}),
			point("peak RSS", 532, 385, figure{from: []string{"trees-plain-go1.20", "trees-plain-go1.25"}, mode: "arenas", metric: rss}),
			point("peak RSS", 532, 385, figure{from: treesHere, benchmark: "Tree/auto", mode: "arenas", metric: rss}),
		},
		beside: ours("", "Tree/auto", treesHere, cpu, rss),
	}, {
		title: "Go's arenas: a profile ingester", source: "https://pyroscope.io/blog/",
		says:    "-8% of CPU in Pyroscope's ingester.",
		remark:  "Here it is workloads/stackstore, which ingests pprof profiles into a store.",
		figures: []figure{point("CPU of ingesting", 1, 0.92, figure{from: []string{"store-go1.26", "store-go1.27"}, mode: "arenas", metric: cpu})},
		beside:  ours(" of ingesting", "", []string{"store-go1.26", "store-go1.27"}, cpu),
	}, {
		title: "Go's arenas: the proposal", source: "https://github.com/golang/go/issues/51317",
		says:   "Up to 15% savings in CPU and memory usage for a number of large applications.",
		remark: "The applications are not public; here it is the service of workloads/payloadclone.",
		figures: append(grpc("arenas", cpu, 0.85),
			grpc("arenas", rss, 0.85)...),
		beside: ours(", 4KiBx32", "Clone/4KiBx32", []string{"clones-grpc-go1.26"}, cpu, rss),
	}, {
		title: "Green Tea: less CPU for collecting", source: "https://go.dev/blog/greenteagc",
		says:   "10–50% less CPU for collecting.",
		remark: "CPU for collecting is the runtime's own account, idle processors' marking included. Here it is workloads/claims/plain/trees; on go1.25, Green Tea is an experiment.",
		figures: []figure{
			{what: "GC CPU of trees", low: 0.5, high: 0.9, from: []string{"trees-plain-go1.25"}, mode: "greenteagc", metric: gcCPU},
			{what: "GC CPU of trees", low: 0.5, high: 0.9, from: []string{"trees-plain-go1.26", "trees-plain-go1.27"}, mode: "nogreenteagc", metric: gcCPU, inverse: true},
		},
		beside: ours(" of trees", "Tree/auto", treesHere, cpu),
	}, {
		title: "Green Tea: Tile38", source: "https://github.com/golang/go/issues/73581",
		says:   "-35% of CPU for collecting in Tile38.",
		cannot: "it is about one program and its data set on its own machine, neither of which is part of this repository",
	}, {
		title:   "Clones of payloads: Green Tea",
		says:    "400.0/1457.6/337.2/19246.6 → 397.7/1356.6/324.8/18786.0 ns.",
		remark:  "Here it is workloads/claims/plain/clones; on go1.25, Green Tea is an experiment.",
		figures: append(cells("time", "greenteagc", ns, unaided, [4]float64{397.7, 1356.6, 324.8, 18786.0}, "clones-plain-go1.25"), cells("time", "", ns, unaided, [4]float64{397.7, 1356.6, 324.8, 18786.0}, cells26...)...),
		beside:  ours(", 4KiBx32 through gRPC", "Clone/4KiBx32", []string{"clones-grpc-go1.26"}, cpu, ns),
	}, {
		title: "Clones of payloads: Go's arenas",
		says:  "400.0/1457.6/337.2/19246.6 → 568.7/1522.4/283.7/21148.8 ns; with Green Tea 569.0/1538.0/206.7/19688.2 ns; allocations 10→3, 10→3, 1→1, 34→3.",
		figures: join(
			cells("time", "arenas", ns, unaided, [4]float64{568.7, 1522.4, 283.7, 21148.8}, "clones-plain-go1.25"),
			cells("time", "nogreenteagc+arenas", ns, unaided, [4]float64{568.7, 1522.4, 283.7, 21148.8}, cells26...),
			cells("time with Green Tea", "arenas", ns, unaided, [4]float64{569.0, 1538.0, 206.7, 19688.2}, cells26...),
			cells("allocations", "arenas", "allocs/op", objects, inArenas, cells26...)),
		beside: ours(", 4KiBx32 through gRPC", "Clone/4KiBx32", []string{"clones-grpc-go1.26"}, cpu, "allocs/op"),
	}, {
		title: "A memory ballast", source: "https://blog.twitch.tv/en/2019/04/10/go-memory-ballast-how-i-learnt-to-stop-worrying-and-love-the-heap-26c2462549a2/",
		says:   "On Go 1.11: -99% of collections, -30% of CPU, -45% of p99 latency.",
		remark: "Go 1.11 cannot build this module. Here it is workloads/gateway on today's Go, under refresh storms of 20 times the load, with gctune's heap floor of about 25 times the live heap, which does what a ballast is for; so this project's part is the row itself. The gateway has no variant that uses its arena.",
		figures: []figure{
			{what: "collections", low: 0.01, high: 0.01, from: []string{"ballast"}, benchmark: "gateway/storm", mode: floored, metric: "gc-cycles/op"},
			{what: "CPU", low: 0.7, high: 0.7, from: []string{"ballast"}, benchmark: "gateway/storm", mode: floored, metric: cpu},
			{what: "p99 latency", low: 0.55, high: 0.55, from: []string{"ballast"}, benchmark: "gateway/storm", mode: floored, metric: "p99-latency-sec"},
		},
	}, {
		title:  "A leaky gateway, cured",
		says:   "Alloc -30%, TotalAlloc -56%, Sys -33%, GC pause p99 -42%, latency p99 -21%.",
		remark: "Here it is workloads/leakygateway. Alloc is the live heap, TotalAlloc bytes/op, Sys the peak RSS. The gateway has no variant that uses this project's arena.",
		figures: []figure{
			{what: "Alloc", low: 0.70, high: 0.70, from: []string{"leaky"}, benchmark: "Request", mode: "tags=cured", metric: "live-heap-bytes"},
			{what: "TotalAlloc", low: 0.44, high: 0.44, from: []string{"leaky"}, benchmark: "Request", mode: "tags=cured", metric: "B/op"},
			{what: "Sys", low: 0.67, high: 0.67, from: []string{"leaky"}, benchmark: "Request", mode: "tags=cured", metric: rss},
			{what: "GC pause p99", low: 0.58, high: 0.58, from: []string{"leaky"}, benchmark: "Request", mode: "tags=cured", metric: "stw-p99-sec"},
			{what: "latency p99", low: 0.79, high: 0.79, from: []string{"leaky-served"}, mode: "tags=cured", metric: "p99-latency-sec"},
		},
		beside: []figure{
			{what: "CPU, cured", from: []string{"leaky"}, benchmark: "Request", mode: "tags=cured", metric: cpu},
			{what: "CPU, leaky with gctune's heap floor of 128 MiB", from: []string{"leaky"}, benchmark: "Request", mode: "floor=128MiB", metric: cpu},
			{what: "p99 latency, leaky with gctune's heap floor of 128 MiB", from: []string{"leaky-served"}, mode: "floor=128MiB", metric: "p99-latency-sec"},
		},
	}, {
		title:   "A leaky gateway: where it allocates",
		says:    "`Process` makes 72% of the allocations.",
		remark:  "The allocations of a batch in Process over those of a request, client and server together. It is a share, which neither this project's arena nor its gctune is there to change.",
		figures: []figure{{what: "share of Process", low: 0.72, high: 0.72, from: []string{"leaky"}, benchmark: "Process", of: "Request", metric: "allocs/op"}},
	}, {
		title:   "A memory profile rate of 1",
		says:    "It costs under 1% of CPU.",
		remark:  "It is a setting of the runtime: neither this project's arena nor its gctune has a part in it.",
		figures: []figure{{what: "CPU", low: 1, high: 1.01, from: []string{"profile-rate"}, benchmark: "Request", mode: "GODEBUG=memprofilerate=1", metric: cpu}},
	}, {
		title:  "The default arena allocator of Go 1.24",
		says:   "It lowers GC pressure by 22%.",
		cannot: "Go 1.24 has none: arenas are an experiment in it, GOEXPERIMENT=arenas, as in all releases from 1.20 to 1.27, and off by default",
	},
}

// grpc are the published savings on each cell of the gRPC service.
func grpc(mode, metric string, ratio float64) []figure {
	var all []figure
	for _, name := range []string{"256Bx8", "1KiBx8", "4KiBx1", "4KiBx32"} {
		all = append(all, point(sample.Lookup(metric).Title+", "+name, 1, ratio, figure{from: []string{"clones-grpc-go1.26"}, benchmark: "Clone/" + name, mode: mode, metric: metric}))
	}
	return all
}

func join(all ...[]figure) []figure {
	var out []figure
	for _, f := range all {
		out = append(out, f...)
	}
	return out
}
