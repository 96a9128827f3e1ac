// Package propose asks a program of the user's for a change: a coding agent, a model, a
// script. The program gets one JSON document on standard input and answers with a unified
// diff on standard output.
//
// The stance: the program is the user's own, so it may use the network, but it gets only the
// variables that the user names, works in a copy of the module that is thrown away, and is
// bounded in time and output. Its answer is nobody's: package guard and the judge of fix
// decide about it.
package propose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

const (
	// DefaultTime is long enough for an agent that reads code and runs tests.
	DefaultTime = 10 * time.Minute
	// DefaultRounds gives a proposer two chances to learn from a rejection.
	DefaultRounds = 3
	// maxAnswer bounds a diff in bytes. Changes of code have less than a tenth of a megabyte;
	// tables that a program writes, such as the properties of Unicode's characters, have some.
	maxAnswer = 16 << 20
	// maxProse bounds an answer without a diff, which is kept to be shown.
	maxProse = 1 << 20
)

// Proposer is the program to ask.
type Proposer struct {
	// Command is the program and its arguments, never empty.
	Command []string
	// Env are the names of the variables that it gets, beside PATH and HOME.
	Env []string
	// Rounds is how often it is asked about one finding; 0 is DefaultRounds.
	Rounds int
	// Time bounds one answer; 0 is DefaultTime.
	Time time.Duration
	// Allowed are the rules of package guard that do not hold.
	Allowed []string
}

// Split returns the program and the arguments of a command line: words between spaces, where
// quotes hold a word with spaces together.
func Split(line string) (words []string, err error) {
	word, open, quote := strings.Builder{}, false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("%q: a quote is open at its end", line)
	case len(words) == 0:
		return nil, errors.New("name a program")
	}
	return words, nil
}

// ErrNothing says that the proposer has no change to propose.
var ErrNothing = errors.New("it proposes nothing")

// Ask asks the proposer, which runs in dir, and returns its answer. The error is
// ErrNothing, the context's, or says how the program failed.
func (p Proposer) Ask(ctx context.Context, dir string, r *Request) (diff string, err error) {
	scratch, err := result.Scratch()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	err = result.ReplaceAll(scratch, map[string]func(io.Writer) error{
		"request.json": func(w io.Writer) error { return termtext.JSON(w, r) },
	})
	if err != nil {
		return "", err
	}
	most := p.Time
	if most <= 0 {
		most = DefaultTime
	}
	// A file and not a pipe: a program that does not read its input blocks nobody.
	out, err := process.Run(ctx, process.Command{
		Path: p.Command[0], Args: p.Command[1:], Dir: dir, Env: environment(p.Env),
		Stdin: filepath.Join(scratch, "request.json"), Timeout: most, StdoutLimit: maxAnswer,
	})
	switch {
	case err != nil:
		return "", err
	case out.Failure != "" && out.LastOutput != "":
		return "", fmt.Errorf("%s: %s: %s", p.Command[0], out.Failure, lastLine(out.LastOutput))
	case out.Failure != "":
		return "", fmt.Errorf("%s: %s", p.Command[0], out.Failure)
	case out.Dropped > 0:
		return "", fmt.Errorf("%s: the answer has more than %d bytes", p.Command[0], maxAnswer)
	case len(out.Stdout) > maxProse && !isDiff(out.Stdout):
		return "", fmt.Errorf("%s: the answer is no unified diff, and has more than %d bytes", p.Command[0], maxProse)
	case strings.TrimSpace(string(out.Stdout)) == "":
		return "", ErrNothing
	}
	return string(out.Stdout), nil
}

func isDiff(answer []byte) bool {
	_, err := patch.Parse(answer)
	return err == nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// environment returns the entries of this process's environment that the proposer gets.
// Windows starts no program without the last three.
func environment(names []string) []string {
	names = slices.Concat([]string{"PATH", "HOME", "SYSTEMROOT", "USERPROFILE", "PATHEXT"}, names)
	all := []string{}
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			all = append(all, entry)
		}
	}
	return all
}
