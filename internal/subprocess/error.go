package subprocess

import (
	"strings"
)

// Error is the failure of a command.
type Error struct {
	// Command has the tool and its verb, as in "go list".
	Command string
	// Complaint has the first lines of standard error that name a fault, "" if there are
	// none.
	Complaint string
	// Remedy is the line of [Remedy].
	Remedy string
	// Err has the exit status, or the reason why the tool did not start.
	Err error
}

func newError(c Command, stderr string, err error) *Error {
	command := c.Name
	verb := c.Args
	for len(verb) > 1 && verb[0] == "-c" { // git -c key=value verb
		verb = verb[2:]
	}
	if len(verb) > 0 {
		command += " " + verb[0]
	}
	return &Error{Command: command, Complaint: complaint(stderr), Remedy: Remedy(stderr), Err: err}
}

func (e *Error) Error() string {
	if e.Complaint == "" {
		return e.Command + ": " + e.Err.Error() + e.Remedy
	}
	return e.Command + ": " + e.Complaint + e.Remedy
}

func (e *Error) Unwrap() error { return e.Err }

// complaint joins at most three lines of standard error. Progress of the go command, headings
// of packages and the imports that lead to a fault are left out.
func complaint(stderr string) string {
	var lines []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || IsProgress(line) || isImport(line) {
			continue
		}
		if lines = append(lines, line); len(lines) == 3 {
			break
		}
	}
	return strings.Join(lines, "; ")
}

// isImport reports whether a line only names a package on the way to a fault. The last one names
// the fault, as in "imports b: build constraints exclude all Go files".
func isImport(line string) bool {
	words := strings.Fields(line)
	return len(words) == 2 && (words[0] == "package" || words[0] == "imports")
}

// IsProgress reports whether a line of the go command's standard error is not about a fault.
func IsProgress(line string) bool { return strings.HasPrefix(line, "go: downloading ") }

// FirstFailure returns the line of go test's output that says most about a failure: the
// test or the panic, else the first message.
func FirstFailure(output string) string {
	first := "no message"
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "--- FAIL"), strings.HasPrefix(line, "panic:"):
			return line
		case first == "no message" && line != "" && !strings.HasPrefix(line, "#") && !strings.Contains(line, "coverage: "):
			first = line
		}
	}
	return first
}
