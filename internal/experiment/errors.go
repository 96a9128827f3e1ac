package experiment

import "strings"

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
