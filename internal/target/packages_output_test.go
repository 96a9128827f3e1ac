package target

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/sample"
)

func TestExactly(t *testing.T) {
	for name, want := range map[string]string{
		"Tree":          "^BenchmarkTree$",
		"Tree/heap":     "^BenchmarkTree$/^heap$",
		"Sum/n=1+1#01":  `^BenchmarkSum$/^n=1\+1#01$`,
		"Deep/a/b(c)|d": `^BenchmarkDeep$/^a$/^b\(c\)\|d$`,
	} {
		if got := exactly(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestFailedBenchmark(t *testing.T) {
	for _, c := range []struct{ name, output, crash, want string }{
		{"told", "goos: linux\nBenchmarkA \t1\t2 ns/op\n--- FAIL: BenchmarkB/x\n    b.go:1: no\n", "", "B/x"},
		{"panicked", "BenchmarkA \t1\t2 ns/op\nBenchmarkB\npanic: no\n", "", "B"},
		{"panicked at once", "BenchmarkA \t1\t2 ns/op\n", "panic: no\n\ngoroutine 8 [running]:\nexample.org/p.f(...)\nexample.org/p.BenchmarkB.func1(0xc0)\n", "B"},
		{"another one logged", "BenchmarkA \t1\t2 ns/op\n--- BENCH: BenchmarkA\n    a.go:1: yes\nBenchmarkB \t", "", "B"},
		{"killed at once", "BenchmarkA \t1\t2 ns/op\n", "", "(after A)"},
		{"silent", "panic: in init\n", "", "(before the first benchmark)"},
	} {
		found, err := benchmarksIn([]byte(c.output))
		if err != nil {
			t.Fatal(err)
		}
		var done []string
		for _, f := range found {
			done = append(done, f.Benchmark)
		}
		if got := failedBenchmark([]byte(c.output), c.crash, done); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRemovedWork(t *testing.T) {
	if notes := tooFast(sample.Key{Benchmark: "Sum"}, 0.31e-9); len(notes) != 1 || !strings.Contains(notes[0], "Sum: an operation takes 0.31 ns: the compiler has removed the work") {
		t.Errorf("%q", notes)
	}
	if notes := tooFast(sample.Key{}, 2e-9); notes != nil {
		t.Errorf("2 ns: %q", notes)
	}
}
