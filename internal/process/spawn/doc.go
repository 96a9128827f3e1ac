// Package spawn is the small process from which package process starts a target on Linux, so
// that the peak memory that the kernel reports for the target does not include ours. The
// comment of package process gives the reason.
//
// It is this program, executed again under the name [Name], which the init function here
// recognizes. It runs there and not in main because packages are initialized in the order
// of their import paths, each as soon as its imports are (Go specification, "Program
// initialization"). Since this package imports only os, strconv, strings and syscall, it
// precedes nearly all packages of the program, and the starter need not pay for them.
package spawn

import (
	"errors"
	"strconv"
	"strings"
)

// Name is the argument zero of a starter.
const Name = "heapwright-spawn"

// Request names the program to start. A starter reads it from standard input and gets
// the target's standard streams as descriptors 3 to 5. No string may hold a
// NUL.
type Request struct {
	Path string // the absolute path of the program
	Dir  string // "" is the starter's
	Join string // file of a control group that the target is to be in; "" is none
	// Alone says that the starter is in a network namespace of its own.
	Alone bool

	Argv []string // all arguments, beginning with argument zero
	Env  []string
}

// Encode returns the request as strings with NULs between.
func (r Request) Encode() string {
	fields := append([]string{r.Path, r.Dir, r.Join, strconv.FormatBool(r.Alone), strconv.Itoa(len(r.Argv))}, r.Argv...)
	return strings.Join(append(fields, r.Env...), "\x00")
}

// Decode is the inverse of Encode.
func Decode(text string) (Request, error) {
	f := strings.Split(text, "\x00")
	if len(f) < 5 {
		return Request{}, errors.New("spawn: not a request")
	}
	n, err := strconv.Atoi(f[4])
	f, path, dir, join, alone := f[5:], f[0], f[1], f[2], f[3] == "true"
	if err != nil || n < 0 || n > len(f) {
		return Request{}, errors.New("spawn: not a request")
	}
	return Request{Path: path, Dir: dir, Join: join, Alone: alone, Argv: f[:n], Env: f[n:]}, nil
}

// Reply is a starter's answer: one line on standard output. Anything else,
// and a status other than 0, is a failure in words.
type Reply struct {
	PID   int   // the target, which is in the starter's process group
	Clock int64 // CLOCK_MONOTONIC in nanoseconds just before the target began
	Peak  int64 // peak RSS of the starter in bytes: the target's Usage.Floor
}
