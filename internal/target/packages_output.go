package target

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/heapwright/heapwright/internal/sample"
)

// benchmarksIn returns the benchmarks in go test's output, in its order.
func benchmarksIn(out []byte) ([]Found, error) {
	var all []Found
	err := eachResult(out, func(r *benchfmt.Result) {
		name := string(r.Name)
		if slices.ContainsFunc(all, func(f Found) bool { return f.Benchmark == name }) {
			return
		}
		f := Found{Key: sample.Key{Benchmark: name}}
		seconds, _ := r.Value("sec/op")
		f.took = time.Duration(seconds * float64(r.Iters) * float64(time.Second))
		if bytes, ok := r.Value("B/op"); ok && seconds > 0 {
			f.Rate = bytes / seconds
		}
		all = append(all, f)
	})
	return all, err
}

func eachResult(out []byte, f func(*benchfmt.Result)) error {
	in := benchfmt.NewReader(bytes.NewReader(out), "output")
	for in.Scan() {
		if r, ok := in.Result().(*benchfmt.Result); ok {
			f(r)
		}
	}
	return in.Err()
}

var failLine = regexp.MustCompile(`(?m)^\s*--- FAIL: Benchmark(\S+)`)
var frameLine = regexp.MustCompile(`(?m)^\S+\.Benchmark([^.(\s]+)[.(]`)
var startLine = regexp.MustCompile(`(?m)^Benchmark(\S+)`)

// failedBenchmark says which benchmark a failed run stopped in, as far as its
// output shows: the one it named, the one in the crash's stack, else the last
// one begun. Package testing prints a name after the first iteration only, so
// that may be one that is done.
func failedBenchmark(stdout []byte, crash string, done []string) string {
	if m := failLine.FindSubmatch(stdout); m != nil {
		return string(m[1])
	}
	if m := frameLine.FindStringSubmatch(crash); m != nil {
		return m[1]
	}
	all := startLine.FindAllSubmatch(stdout, -1)
	if all == nil {
		return "(before the first benchmark)"
	}
	last := string(all[len(all)-1][1])
	if slices.Contains(done, last) {
		return "(after " + last + ")"
	}
	return last
}

// benchmarkLine reads the one line of results in go test's output: wall time,
// bytes, allocations and the units that the benchmark reported itself.
func benchmarkLine(out []byte) (iterations int, values map[string]float64, err error) {
	lines := 0
	err = eachResult(out, func(r *benchfmt.Result) {
		lines++
		iterations, values = r.Iters, map[string]float64{}
		for _, v := range r.Values {
			values[v.Unit] = v.Value
		}
	})
	switch {
	case err != nil:
		return 0, nil, err
	case lines == 0:
		return 0, nil, errors.New("it printed no result; is it skipped in this mode?")
	case lines > 1:
		return 0, nil, fmt.Errorf("it printed %d results, one was asked for", lines)
	}
	return iterations, values, nil
}
