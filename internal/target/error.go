package target

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/acarl005/stripansi"

	"github.com/heapwright/heapwright/internal/process"
)

// ErrNoProfile says that a target cannot be profiled, though it can be run.
var ErrNoProfile = errors.New("no profile")

// RunError says why a run gave no sample.
type RunError struct {
	Reason string // "exit status 2", "timed out after 1m2s"
	Output string // the last lines that the run printed
	// TimedOut is whether the run was stopped because it took too long.
	TimedOut bool
}

func (e *RunError) Error() string {
	lines := strings.Split(strings.TrimSpace(e.Output), "\n")
	if crashLine.MatchString(lines[0]) {
		return e.Reason + ": " + lines[0]
	}
	if i := slices.IndexFunc(lines, testLine.MatchString); i >= 0 {
		return e.Reason + ": " + strings.TrimSpace(lines[i])
	}
	if last := lines[len(lines)-1]; last != "" {
		return e.Reason + ": " + last
	}
	return e.Reason
}

// shown is how many of the last lines of a failed run are kept.
const shown = 20

// crashShown is how many lines of a Go crash are kept: the reason and the innermost
// frames.
const crashShown = 5

var crashLine = regexp.MustCompile(`^((panic|fatal error|SIG[A-Z]+|goleak): |WARNING: DATA RACE$)`)

// testLine is a line that a benchmark or a test reports. Package testing writes FAIL
// below it.
var testLine = regexp.MustCompile(`^\s+\S+_test\.go:\d+: \S`)

// tunerLeak is how a check for leaked goroutines names the one that a mode's gctune runs,
// in its copy inside of the module.
var tunerLeak = regexp.MustCompile(`unexpected goroutines(?s:.*)/internal/heapwright/gctune\.`)

// raceEnd ends a report of the race detector, whose first line may be cut off.
var raceEnd = regexp.MustCompile(`^={10,}$`)

// refusal is how packages for flags begin to say which argument they refuse; the
// list of flags follows.
var refusal = regexp.MustCompile(`^(flag provided but not defined|Incorrect Usage: |Error: unknown )`)

var traceLine = regexp.MustCompile(`(?m)^(gc \d+ @|scav ).*\n?`)

// runError holds the last lines of a failed run. It leaves out the collector's
// trace of an untimed run, which is no reason for a failure, and codes for a terminal.
// Package testing reports failures on standard output.
func runError(reason string, out process.Outcome) *RunError {
	text := strings.TrimSpace(traceLine.ReplaceAllString(out.LastOutput, ""))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	text = stripansi.Strip(text)
	if tunerLeak.MatchString(text) {
		reason += "; its check for leaked goroutines finds gctune's, which the mode adds: leave that check out, or choose a mode with GOGC instead"
	}
	lines := strings.Split(text, "\n")
	if raceEnd.MatchString(lines[len(lines)-1]) && !slices.ContainsFunc(lines, crashLine.MatchString) {
		lines = slices.Insert(lines, 0, "WARNING: DATA RACE")
	}
	if i := slices.IndexFunc(lines, crashLine.MatchString); i >= 0 {
		lines = lines[i:min(len(lines), i+crashShown)]
	} else if i := slices.IndexFunc(lines, refusal.MatchString); i >= 0 {
		lines = lines[i : i+1]
	}
	last := strings.Join(lines[max(0, len(lines)-shown):], "\n")
	return &RunError{Reason: reason, Output: last, TimedOut: out.TimedOut}
}
