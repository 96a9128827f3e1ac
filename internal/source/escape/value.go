// Package escape reads why the compiler puts a value on the heap, from the output of
// go build -gcflags=-m=2.
package escape

import (
	"fmt"
	"strings"
)

// Value is an expression or a variable that escape analysis speaks of.
type Value struct {
	Position

	// What is the expression as the compiler prints it: "make([]byte, n)",
	// "moved to heap: x".
	What string

	// Reason says why it escapes, in one line: "passed to fmt.Fprintln(...)",
	// "returned". It is "" where the compiler gives no reason.
	Reason string

	// Flow has the steps that the compiler gives, outermost first.
	Flow []string

	// Function was compiled with the value in it. By inlining, it may not be the one
	// that has the value in its source. It is "" before Go 1.26.
	Function string

	// Stays is set if the value does not escape. It is on the heap only if it is too
	// long for its frame.
	Stays bool

	steps []step
}

// Position is a place in a source file.
type Position struct {
	File         string
	Line, Column int // counted from 1; 0 is unknown
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// step is one link of the way from a value to the heap.
type step struct {
	from   string // the expression
	reason string // the compiler's word: "assign", "return", "call parameter", "spill" …
	at     Position
}

// String returns the value and the compiler's reason in one line.
func (e Value) String() string {
	if e.Reason == "" {
		return e.What
	}
	return e.What + ": " + e.Reason
}

// finish makes the words from the steps.
func (e *Value) finish() {
	e.What = Short(e.What)
	for i, s := range e.steps {
		// The compiler gives a way that forks in several parts; one of them is enough.
		line := fmt.Sprintf("%s (%s) at line %d", Short(s.from), s.reason, s.at.Line)
		if i == 0 || e.Flow[len(e.Flow)-1] != line {
			e.Flow = append(e.Flow, line)
		}
	}
	for i := len(e.steps) - 1; i >= 0 && e.Reason == ""; i-- {
		e.Reason = e.steps[i].words(e.Line)
	}
}

// words describes a step, or is "" for one that only hands the value on:
// the last step that says something is the one that leaves the function.
func (s step) words(line int) string {
	from, at := Short(s.from), ""
	if s.at.Line != line && s.at.Line != 0 {
		at = fmt.Sprintf(" (line %d)", s.at.Line)
	}
	switch s.reason {
	case "spill", "slice-literal-element", "assign-pair", "dot of pointer", "indirection":
		return ""
	case "call parameter":
		return "passed to " + from + at
	case "return":
		return "returned" + at
	case "assign":
		return "stored by " + from + at
	case "captured by a closure":
		return from + " is captured by a closure" + at
	case "interface-converted":
		return from + " becomes an interface" + at
	case "non-constant size":
		return "its size is not constant"
	case "too large for stack":
		return "too large for the stack"
	}
	return from + " (" + s.reason + ")" + at
}

// Short cuts the compiler's text of nested expressions to one glance.
func Short(expr string) string {
	const most = 80
	expr = strings.Join(strings.Fields(expr), " ")
	if runes := []rune(expr); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return expr
}
