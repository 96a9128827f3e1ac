package scrape

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/store"
)

// Names of figures.
const (
	RSS         = "rss_bytes"
	Live        = "heap_live_bytes" // objects, live and not yet swept
	Goal        = "heap_goal_bytes"
	Limit       = "memory_limit_bytes"
	Sys         = "sys_bytes" // memory that Go holds and did not give back
	Collections = "collections"
	CPUTime     = "cpu_nanoseconds"
	Goroutines  = "goroutines"
	Requests    = "requests" // answered since the start
)

// usualRequests are the counters of requests that common libraries export.
var usualRequests = []string{
	"http_requests_total", "http_server_request_duration_seconds_count", "grpc_server_handled_total",
}

// metrics are the names under which figures are known in the text format of Prometheus,
// as client_golang exports them, with the factor that makes a whole number of them.
var metrics = map[string]struct {
	name   string
	factor float64
}{
	"process_resident_memory_bytes": {RSS, 1},
	"process_cpu_seconds_total":     {CPUTime, 1e9},
	"go_memstats_heap_alloc_bytes":  {Live, 1},
	"go_memstats_next_gc_bytes":     {Goal, 1},
	"go_gc_gomemlimit_bytes":        {Limit, 1},
	"go_goroutines":                 {Goroutines, 1},
	"go_gc_duration_seconds_count":  {Collections, 1},
}

// readMetrics returns the figures in the text format of Prometheus. The counters of
// requests are added up over their labels; other lines with labels, and names that are
// not known, are passed over.
func readMetrics(text []byte, requests []string) []store.Figure {
	var all []store.Figure
	seen := map[string]bool{}
	answered, counted := 0.0, false
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		if plain, labels, ok := strings.Cut(lines.Text(), "{"); ok && slices.Contains(requests, plain) {
			name, rest = plain, labels[strings.LastIndexByte(labels, '}')+1:]
		}
		m, ok := metrics[name]
		value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if slices.Contains(requests, name) {
			if v, err := strconv.ParseFloat(value, 64); err == nil && v >= 0 && v < math.MaxInt64 {
				answered, counted = answered+v, true
			}
			continue
		}
		if !ok || seen[m.name] {
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if v *= m.factor; err != nil || !(v >= 0 && v < math.MaxInt64) { // without a limit it is the largest number
			continue
		}
		seen[m.name] = true
		all = append(all, store.Figure{Name: m.name, Value: int64(v)})
	}
	if counted && answered < math.MaxInt64 {
		all = append(all, store.Figure{Name: Requests, Value: int64(answered)})
	}
	return all
}

// variables are the values that a process publishes with expvar: of runtime.MemStats and
// debug.BuildInfo only the fields that are needed, because a target chooses how many others
// there are.
type variables struct {
	MemStats  *memStats       `json:"memstats"`
	BuildInfo json.RawMessage `json:"buildinfo"`
	Limit     float64         `json:"/gc/gomemlimit:bytes"`
}

type memStats struct {
	HeapAlloc, NextGC, Sys, HeapReleased uint64
	NumGC                                uint32
}

type buildInfo struct {
	Main     struct{ Version string }
	Settings []struct{ Key, Value string }
}

// mostBuildInfo bounds the build information of a target, in bytes. A program with a thousand
// dependencies has less.
const mostBuildInfo = 256 << 10

// readVariables returns the figures in /debug/vars, and the version of the program, ""
// where it publishes none.
func readVariables(data []byte) (figures []store.Figure, version string, err error) {
	var vars variables
	if err := json.Unmarshal(data, &vars); err != nil {
		return nil, "", err
	}
	if m := vars.MemStats; m != nil {
		known := func(name string, v uint64) {
			if v < math.MaxInt64 {
				figures = append(figures, store.Figure{Name: name, Value: int64(v)})
			}
		}
		known(Live, m.HeapAlloc)
		known(Goal, m.NextGC)
		known(Sys, m.Sys-min(m.Sys, m.HeapReleased))
		known(Collections, uint64(m.NumGC))
	}
	if vars.Limit > 0 && vars.Limit < math.MaxInt64 {
		figures = append(figures, store.Figure{Name: Limit, Value: int64(vars.Limit)})
	}
	return figures, versionOf(vars.BuildInfo), nil
}

// versionOf returns the version in build information, "" if there is none.
func versionOf(info []byte) string {
	var b buildInfo
	if len(info) == 0 || len(info) > mostBuildInfo || json.Unmarshal(info, &b) != nil {
		return ""
	}
	version := b.Main.Version
	for _, s := range b.Settings {
		if s.Key == "vcs.revision" && (version == "" || version == "(devel)") {
			version = s.Value[:min(len(s.Value), 12)]
		}
	}
	if version == "(devel)" {
		return ""
	}
	return version
}
