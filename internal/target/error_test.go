package target

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/probe"
)

// A program that refuses its arguments lists its flags behind the reason.
func TestRefusedArguments(t *testing.T) {
	for _, reason := range []string{"Error: unknown flag: --http", "flag provided but not defined: -http"} {
		err := runError("exit status 1", probe.Outcome{LastOutput: reason + "\n…\n" + strings.Repeat("      --flag string\n", 18) + "\nUse \"x --help\" for more."})
		if got, want := err.Error(), "exit status 1: "+reason; got != want {
			t.Errorf("the error is %q, want %q", got, want)
		}
	}
}

// The report of a data race ends with a line of equals signs, which says nothing. Its
// beginning may be lost.
func TestDataRace(t *testing.T) {
	const end = "Read at 0x00c0 by goroutine 8:\n  main.f()\n  main.g()\n  main.h()\n  main.i()\n  main.j()\n=================="
	for _, report := range []string{"==================\nWARNING: DATA RACE\n" + end, end} {
		err := runError("exit status 66", probe.Outcome{LastOutput: report})
		if !strings.HasPrefix(err.Output, "WARNING: DATA RACE\n") || err.Error() != "exit status 66: WARNING: DATA RACE" {
			t.Errorf("the error is %q with output %q", err, err.Output)
		}
	}
}
