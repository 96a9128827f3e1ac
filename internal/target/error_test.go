package target

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/process"
)

// A program that refuses its arguments lists its flags behind the reason.
func TestRefusedArguments(t *testing.T) {
	for _, reason := range []string{"Error: unknown flag: --http", "flag provided but not defined: -http"} {
		err := runError("exit status 1", process.Outcome{LastOutput: reason + "\n…\n" + strings.Repeat("      --flag string\n", 18) + "\nUse \"x --help\" for more."})
		if got, want := err.Error(), "exit status 1: "+reason; got != want {
			t.Errorf("the error is %q, want %q", got, want)
		}
	}
}

// A check for leaked goroutines that finds gctune's is no fault of the program's.
func TestLeakCheckFindsTuner(t *testing.T) {
	const report = "INFO gctune: in charge\ngoleak: Errors on successful test run: found unexpected goroutines:\n[Goroutine 20 in state select, with " +
		"example.org/x/internal/heapwright/gctune.(*tuner).run on top of the stack:\ncreated by example.org/x/internal/heapwright/gctune.Start in goroutine 1\n]"
	err := runError("exit status 1", process.Outcome{LastOutput: report})
	if !strings.Contains(err.Reason, "its check for leaked goroutines finds gctune's, which the mode adds") || !strings.HasPrefix(err.Output, "goleak: Errors") {
		t.Errorf("%q with output %q", err.Reason, err.Output)
	}
	err = runError("exit status 1", process.Outcome{LastOutput: strings.ReplaceAll(report, "internal/heapwright/", "")})
	if err.Error() != "exit status 1: goleak: Errors on successful test run: found unexpected goroutines:" {
		t.Errorf("%q", err)
	}
}

// The report of a data race ends with a line of equals signs, which says nothing. Its
// beginning may be lost.
func TestDataRace(t *testing.T) {
	const end = "Read at 0x00c0 by goroutine 8:\n  main.f()\n  main.g()\n  main.h()\n  main.i()\n  main.j()\n=================="
	for _, report := range []string{"==================\nWARNING: DATA RACE\n" + end, end} {
		err := runError("exit status 66", process.Outcome{LastOutput: report})
		if !strings.HasPrefix(err.Output, "WARNING: DATA RACE\n") || err.Error() != "exit status 66: WARNING: DATA RACE" {
			t.Errorf("the error is %q with output %q", err, err.Output)
		}
	}
}

// The cause is the line that the benchmark reports, without its colours.
func TestCauseOfAFailedBenchmark(t *testing.T) {
	err := runError("exit status 1", process.Outcome{Stdout: []byte("\x1b[31mERROR\x1b[0m no such table\n--- FAIL: BenchmarkBad\n    f_test.go:10: \x1b[1mcannot open\x1b[0m db\nFAIL\n")})
	if got, want := err.Error(), "exit status 1: f_test.go:10: cannot open db"; got != want {
		t.Errorf("the error is %q, want %q", got, want)
	}
	if strings.Contains(err.Output, "\x1b") || !strings.HasPrefix(err.Output, "ERROR no such table\n") {
		t.Errorf("the output is %q", err.Output)
	}
}
