package experiment

import (
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/probe"
)

// RunError says why a run gave no sample.
type RunError struct {
	Reason string // "exit status 2", "timed out after 1m2s"
	Output string // the last lines of what the run printed
}

func (e *RunError) Error() string {
	lines := strings.Split(strings.TrimSpace(e.Output), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return e.Reason + ": " + last
	}
	return e.Reason
}

// shown is how many of the last lines of a failed run are kept.
const shown = 20

// crashShown is how much of a Go crash is kept: what it died of and the
// innermost frames.
const crashShown = 5

var crashLine = regexp.MustCompile(`^(panic|fatal error|SIG[A-Z]+): `)

var traceLine = regexp.MustCompile(`(?m)^(gc \d+ @|scav ).*\n?`)

// runError tells what a failed run printed last. The collector's trace of an
// untimed run is not what it died of; and package testing reports failures on
// standard output.
func runError(reason string, out probe.Outcome) *RunError {
	text := strings.TrimSpace(traceLine.ReplaceAllString(out.LastOutput, ""))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	lines := strings.Split(text, "\n")
	if i := slices.IndexFunc(lines, crashLine.MatchString); i >= 0 {
		lines = lines[i:min(len(lines), i+crashShown)]
	}
	return &RunError{Reason: reason, Output: strings.Join(lines[max(0, len(lines)-shown):], "\n")}
}
