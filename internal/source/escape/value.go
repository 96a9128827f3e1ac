package source

import (
	"fmt"
	"strings"
)

// Escape is why the compiler put something on the heap, by go build -gcflags=-m=2.
type Escape struct {
	Position
	What     string   // the expression as the compiler prints it: "make([]byte, n)", "moved to heap: x"
	Reason   string   // in one line: "passed to fmt.Fprintln(...)", "returned"; "" where the compiler gave none
	Flow     []string // the steps that the compiler gives, outermost first
	Function string   // for which it was found, by inlining perhaps not the one it is written in; "" before Go 1.26

	stays bool // does not escape: on the heap only where it is too long for its frame
	steps []step
}

// step is one link of the way from a value to the heap.
type step struct {
	from   string // the expression
	reason string // the compiler's word: "assign", "return", "call parameter", "spill" …
	at     Position
}

// String tells the compiler's reason in one line.
func (e Escape) String() string {
	if e.Reason == "" {
		return e.What
	}
	return e.What + ": " + e.Reason
}

// finish makes the words from the steps.
func (e *Escape) finish() {
	e.What = short(e.What)
	for i, s := range e.steps {
		// A way that forks is told in several parts; one of them is enough.
		line := fmt.Sprintf("%s (%s) at line %d", short(s.from), s.reason, s.at.Line)
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
	from, at := short(s.from), ""
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

// short cuts the compiler's text of nested expressions to one glance.
func short(expr string) string {
	const most = 80
	expr = strings.Join(strings.Fields(expr), " ")
	if runes := []rune(expr); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return expr
}
