package report

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/verdict"
)

// huge is a document of n modes and n benchmarks, in which the benchmark of run i is
// bench(i). Each run has a mode and a block of its own. A view that tries every
// pair of a mode and a benchmark, or of a mode and a block, does not end.
func huge(n int, bench func(i int) int) *result.Document {
	doc := &result.Document{Schema: result.Schema, Baseline: "default", Blocks: n, Modes: []result.Mode{{Name: "default"}}}
	for i := range n {
		mode := fmt.Sprint("GOGC=", i)
		key := sample.Key{Benchmark: strings.Repeat("é", bench(i)%100) + string(rune(0x4e00+bench(i)))} // no two have a file name of their own
		doc.Modes = append(doc.Modes, result.Mode{Name: mode})
		doc.Benchmarks = append(doc.Benchmarks, result.Benchmark{Key: key, Iterations: 1})
		own := fmt.Sprint("unit", i) + "/op"
		values := map[string]float64{sample.Primary: 1, sample.PeakRSS: 1, own: 1}
		doc.Runs = append(doc.Runs, sample.Run{Key: key, Mode: mode, Block: i + 1, Iterations: 1, Values: values})
		doc.Untimed = append(doc.Untimed, sample.Run{Key: key, Mode: mode, Iterations: 1, Values: map[string]float64{"gc-cycles/op": 1}})
		for _, metric := range []string{sample.Primary, sample.PeakRSS, own} {
			doc.Effects = append(doc.Effects, verdict.Effect{Key: key, Mode: mode, Metric: metric, Ratio: 1, Low: 0.9, High: 1.1, Verdict: verdict.Inconclusive})
		}
		doc.Summaries = append(doc.Summaries, verdict.Summary{Mode: mode, Decision: verdict.Undecided, Geomean: map[string]float64{sample.Primary: 1, sample.PeakRSS: 1}})
		doc.Failures = append(doc.Failures, result.Failure{Key: key, Mode: mode, Reason: "exit status 1"})
	}
	return doc
}

func TestHugeGrids(t *testing.T) {
	n := 2_000
	if os.Getenv("HEAPWRIGHT_THOROUGH") != "" {
		n = 8_000
	}
	for name, bench := range map[string]func(int) int{
		"a benchmark of its own for each mode": func(i int) int { return i },
		"one benchmark":                        func(int) int { return 0 },
	} {
		t.Run(name, func(t *testing.T) {
			doc := huge(n, bench)
			files := map[string]string{}
			g := newGrid(doc)
			for _, v := range views {
				for _, f := range v(g) {
					var b strings.Builder
					if err := f.write(&b); err != nil {
						t.Fatal(err)
					}
					files[f.name] = b.String()
				}
			}
			files["table"] = written(t, func(w io.Writer, doc *result.Document) error { return Table(w, doc, "", termtext.Style{}) }, doc)
			if len(files) > maxTables+10 {
				t.Errorf("%d files", len(files))
			}
			for _, name := range []string{"report.html", "table"} {
				if want := fmt.Sprintf("the first 64 of %d judged metrics are shown", n+2); !strings.Contains(files[name], want) {
					t.Errorf("%s does not say that %s", name, want)
				}
			}
			if want := fmt.Sprintf("the page shows the first 100 of %d rows", n); !strings.Contains(files["report.html"], want) {
				t.Errorf("report.html does not say that %s", want)
			}
			if rows := strings.Count(files["results.csv"], "\n"); rows != 1+4*n {
				t.Errorf("results.csv has %d rows", rows)
			}
		})
	}
}

// A table has the modes and the blocks that have samples, and the index names no file
// where most of its cells would be empty.
func TestTablesThatAreNearlyEmpty(t *testing.T) {
	doc := huge(1000, func(i int) int { return min(i, 900) })
	files := map[string]string{}
	for _, f := range tsvFiles(newGrid(doc)) {
		var b strings.Builder
		if err := f.write(&b); err != nil {
			t.Fatal(err)
		}
		files[f.name] = b.String()
	}
	sparse, full := 0, 0
	for line := range strings.Lines(files["tsv/index.tsv"]) {
		switch {
		case strings.HasPrefix(line, "file\t"):
		case strings.HasPrefix(line, "\t"):
			sparse++
		default:
			full++
		}
	}
	if sparse != 2 || full != len(files)-1 { // CPU and peak RSS of the last benchmark
		t.Errorf("the index has %d files and %d entries without one; there are %d files", full, sparse, len(files)-1)
	}
	for name, text := range files {
		if name != "tsv/index.tsv" && strings.Count(text, "\n") != 2 {
			t.Errorf("%s: %q", name, text)
		}
	}
}
