// Package reporttest makes up experiments for the tests of their views: usual ones, and
// ones that fail.
package reporttest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/stats"
	"github.com/heapwright/heapwright/internal/verdict"
)

// ratios are the effects of a made-up mode on each metric.
type ratios struct {
	name                      string
	cpu, rss, bytes, gcCycles float64
}

var madeUpModes = []ratios{
	{"GOGC=400", 0.69, 1.84, 1, 0.27},
	{"nogreenteagc", 1.04, 0.98, 1, 1},
	{"arenas", 0.42, 1.21, 0.02, 0.11},
	{"GOGC=200", 0.84, 1.38, 1, 0.55},
	{"go1.27.4", 0.995, 1.01, 0.97, 1},
	{"GOMEMLIMIT=64MiB+GOGC=off", 0.78, 1.09, 1, 0.4},
	{"GOGC=50", 1.41, 0.81, 1, 1.9},
	{"rev=main~3", 1.09, 1.0, 1.05, 1.1},
	{"tags=purego,nosimd+GOGC=800", 0.61, 2.75, 1, 0.14},
}

var wantedBenchmarks = []string{
	"Tree/heap/depth=16-2", "Tree/pool/depth=16-2", "Clone/4KiB×32-2", "Decode/twitter.json-2",
	"Regexp/onepass-2", "Map/insert-2", "Flate/level=6-2",
}

// Document returns a made-up experiment that looks like a real one. Each block has noise
// that all modes share, and each run has noise. Bytes and allocations are exact.
func Document(benchmarks, modes, blocks int) *result.Document {
	rnd := rand.New(rand.NewPCG(7, 11))
	start := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	doc := &result.Document{
		Schema: result.Schema, Tool: "v0.1.0", Started: start, Finished: start.Add(17*time.Minute + 4*time.Second),
		Command: []string{"compare", "-modes", "default,GOGC=400,nogreenteagc", "./workloads/binarytrees"},
		Dir:     "/home/gopher/src/heapwright", Target: "./workloads/binarytrees",
		Machine: result.Machine{OS: "linux", Arch: "amd64", Kernel: "6.8.0-45-generic",
			CPU: "AMD EPYC 7763 64-Core Processor", Cores: 2, Memory: 8 << 30},
		Seed: 0x9e3779b97f4a7c15, Analyses: []int{12, 20, 40}, Blocks: blocks, Baseline: "default",
		Stopped:  "every question decided",
		Missing:  map[string]string{"page-faults/op": "the fixture's machine does not count them"},
		Warnings: []string{"the machine's load was above 1.5 while blocks 4 to 6 ran"},
	}

	// The control is a second copy of the baseline. It has runs, but no row in Modes.
	compared := slices.Concat([]ratios{{"default", 1, 1, 1, 1}}, madeUpModes[:modes-1])
	for _, m := range compared {
		doc.Modes = append(doc.Modes, modeOf(m.name))
	}
	control := ratios{name: "default" + sample.ControlSuffix, cpu: 1, rss: 1, bytes: 1, gcCycles: 1}
	for i := range benchmarks {
		name := wantedBenchmarks[i%len(wantedBenchmarks)]
		if n := i / len(wantedBenchmarks); n > 0 {
			name = fmt.Sprintf("%s#%02d", name, n)
		}
		key := sample.Key{Package: "github.com/heapwright/heapwright/workloads/binarytrees", Benchmark: name}
		doc.Benchmarks = append(doc.Benchmarks, result.Benchmark{Key: key, Iterations: 120})

		// Benchmarks differ by orders of magnitude, as in real projects.
		base := map[string]float64{
			sample.Primary:   1.8e-3 * math.Exp(rnd.NormFloat64()),
			"B/op":           math.Round(3e5 * math.Exp(2*rnd.NormFloat64())),
			"peak-RSS-bytes": 24e6 * math.Exp(rnd.NormFloat64()),
		}
		base["allocs/op"] = math.Ceil(base["B/op"] / 48)
		for b := 1; b <= blocks; b++ {
			shared := 0.02 * rnd.NormFloat64()
			for _, m := range slices.Concat(compared, []ratios{control}) {
				doc.Runs = append(doc.Runs, sample.Run{Key: key, Mode: m.name, Block: b, Iterations: 120,
					Values: map[string]float64{
						sample.Primary: base[sample.Primary] * effectOf(m.cpu, i) *
							math.Exp(shared+0.012*rnd.NormFloat64()),
						"sec/op": base[sample.Primary] * 0.8 * effectOf(m.cpu, i) *
							math.Exp(shared+0.09*rnd.NormFloat64()),
						"B/op":      math.Round(base["B/op"] * m.bytes),
						"allocs/op": math.Round(base["allocs/op"] * m.bytes),
						"peak-RSS-bytes": base["peak-RSS-bytes"] * effectOf(m.rss, i) *
							math.Exp(0.01*rnd.NormFloat64()),
					}})
			}
		}
		for _, m := range compared {
			doc.Untimed = append(doc.Untimed,
				sample.Run{Key: key, Mode: m.name, Block: 0, Iterations: 120, Values: map[string]float64{
					"gc-cycles/op": 0.31 * m.gcCycles, "gc-cpu-fraction": 0.28 * m.gcCycles,
					"assist-cpu-fraction": 0.04 * m.gcCycles, "stw-p99-sec": 84e-6 * math.Exp(0.2*rnd.NormFloat64()),
					"live-heap-bytes": base["peak-RSS-bytes"] / 3,
					"heap-goal-bytes": base["peak-RSS-bytes"] * 0.7 * m.rss,
				}})
		}
	}
	conclude(doc, append(compared[1:], control))
	return doc
}

// effectOf lets a mode matter more to some benchmarks than to others.
func effectOf(ratio float64, benchmark int) float64 {
	return math.Pow(ratio, 1-0.12*float64(benchmark%4))
}

func modeOf(name string) result.Mode {
	return result.Mode{
		Name:  name,
		Build: []string{"GOTOOLCHAIN=go1.26.8 go test -c -o bin/binarytrees.test ./workloads/binarytrees"},
		Run:   []string{"GOGC=400 bin/binarytrees.test -test.run '^$' -test.bench . -test.benchtime 120x"},
		Identity: mode.Identity{GoVersion: "go1.26.8",
			Settings:     map[string]string{"GOAMD64": "v1", "-trimpath": "true"},
			BinarySHA256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
			Reported:     true, GOGC: 100, MemoryLimit: math.MaxInt64, Env: map[string]string{"GOGC": "400"}},
	}
}

// conclude fills in effects and summaries. They are close enough to the results of the
// real estimators for the views to have something to show.
func conclude(doc *result.Document, modes []ratios) {
	for _, m := range modes {
		logs := make(map[string][]float64)
		all, better, worse := 0, 0, 0
		for _, b := range doc.Benchmarks {
			for _, metric := range []string{sample.Primary, "sec/op", "B/op", "allocs/op", "peak-RSS-bytes"} {
				e := estimate(doc, b.Key, m.name, metric)
				if m.name == doc.Baseline+sample.ControlSuffix {
					doc.Control = append(doc.Control, e)
					continue
				}
				doc.Effects = append(doc.Effects, e)
				logs[metric] = append(logs[metric], math.Log(e.Ratio))
				if metric != sample.Primary {
					continue
				}
				all++
				switch e.Verdict {
				case verdict.Better:
					better++
				case verdict.Worse:
					worse++
				}
			}
		}
		if all == 0 {
			continue
		}
		s := verdict.Summary{Mode: m.name, Geomean: make(map[string]float64)}
		for metric, l := range logs {
			sum := 0.0
			for _, v := range l {
				sum += v
			}
			s.Geomean[metric] = math.Exp(sum / float64(len(l)))
		}
		switch {
		case better > 0 && worse == 0:
			s.Decision, s.Reason = verdict.Adopt,
				fmt.Sprintf("CPU is better in %d of %d benchmarks and worse in none", better, all)
		case worse > 0:
			s.Decision, s.Reason = verdict.Reject, fmt.Sprintf("CPU is worse in %d of %d benchmarks", worse, all)
		default:
			s.Decision, s.Reason = verdict.Undecided, fmt.Sprintf("CPU is open in %d of %d benchmarks", all, all)
		}
		doc.Summaries = append(doc.Summaries, s)
	}
}

func estimate(doc *result.Document, key sample.Key, mode, metric string) verdict.Effect {
	values := make(map[string][]float64)
	for _, r := range doc.Runs {
		if r.Key == key {
			values[r.Mode] = append(values[r.Mode], r.Values[metric])
		}
	}
	base, cand := values[doc.Baseline], values[mode]
	d := make([]float64, len(base))
	mean, square := 0.0, 0.0
	for i := range base {
		d[i] = math.Log(cand[i] / base[i])
		mean += d[i] / float64(len(d))
	}
	for _, v := range d {
		square += (v - mean) * (v - mean)
	}
	half := 2.9 * math.Sqrt(square) / float64(len(d))
	e := verdict.Effect{Key: key, Mode: mode, Metric: metric, Blocks: len(d), Level: 0.01, Delta: 0.013,
		Ratio: math.Exp(mean), Low: math.Exp(mean - half), High: math.Exp(mean + half), P: 1}
	if square > 0 {
		e.P = math.Erfc(math.Abs(mean) * float64(len(d)) / math.Sqrt(2*square))
	} else if mean != 0 {
		e.P = 0
	}
	e.Baseline = stats.Median(base)
	e.Candidate = stats.Median(cand)
	switch {
	case e.High < 1-e.Delta:
		e.Verdict = verdict.Better
	case e.Low > 1+e.Delta:
		e.Verdict = verdict.Worse
	case e.Low > 1-e.Delta && e.High < 1+e.Delta:
		e.Verdict = verdict.Same
	default:
		e.Verdict, e.MoreBlocks = verdict.Inconclusive, 8
	}
	return e
}

// Broken adds the failures of real experiments, and malicious text.
func Broken(doc *result.Document) *result.Document {
	evil := "<script>alert(1)</script>|`x`\x1b[2J\r\n=1+1 @gopher #1 \u202eabc"
	key := sample.Key{Package: "example.com/" + evil, Benchmark: "=HYPERLINK(\"http://x\")/" + evil}
	doc.Benchmarks = append(doc.Benchmarks, result.Benchmark{Key: key, Iterations: 1})
	doc.Runs = append(doc.Runs,
		sample.Run{Key: key, Mode: "default", Block: 1, Iterations: 1,
			Values: map[string]float64{sample.Primary: 0, "evil<b>/s": 3, "nan": math.NaN()}},
		sample.Run{Key: key, Mode: "GOGC=400", Block: 2_000_000_000, Iterations: 1,
			Values: map[string]float64{sample.Primary: 1, "evil<b>/s": 5}})
	doc.Effects = append(doc.Effects,
		verdict.Effect{Key: key, Mode: "GOGC=400", Metric: sample.Primary, Blocks: 1, Ratio: math.Inf(1),
			Low: math.NaN(), High: math.Inf(1), Candidate: 1, Verdict: verdict.Worse},
		verdict.Effect{Key: key, Mode: "GOGC=400", Metric: "evil<b>/s", Blocks: 1, Ratio: 5.0 / 3, High: math.Inf(1),
			Baseline: 3, Candidate: 5, Verdict: verdict.Inconclusive, MoreBlocks: 6, Warnings: []string{evil}})
	doc.Modes = append(doc.Modes, result.Mode{Name: "go1.99" + evil, Failed: "toolchain not available " + evil,
		Build: []string{evil}})
	doc.Summaries = append(doc.Summaries,
		verdict.Summary{Mode: "go1.99" + evil, Failed: "toolchain not available " + evil})
	doc.Failures = append(doc.Failures, result.Failure{Key: key, Mode: "GOGC=400", Block: 3,
		Reason: "killed: out of memory", Output: "\x1b[31mpanic: " + evil +
			"\n\ngoroutine 1 [running]:\n\tmain.main()\r\n"})
	doc.Warnings = append(doc.Warnings, evil)
	doc.Target = evil
	return doc
}
