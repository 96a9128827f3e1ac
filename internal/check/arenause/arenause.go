// Package arenause finds memory of an arena that is used after the arena ended.
package arenause

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/lifetime"
)

const doc = `report memory of an arena that is used after Free or Reset

Free and Reset end all values of an arena: pointers, slices, strings, maps, and
decoded contents, except text that a decoder has left on the heap. Free also ends
slabs. A later read sees another value in the same memory.

	p := arena.New[point](a)
	a.Free()
	return p.x

ResetTo ends the values allocated since the checkpoint. The check follows local
variables, through helpers of this and other packages, and arenas in unexported fields
that only constructors set. It reports a use if the arena ended on every path to it,
or in an earlier iteration of the loop around it, and an arena that is freed by hand
and again by defer. The remedy is to use the value earlier, or to copy it by Clone or
Promote. The arenas of this project and those of GOEXPERIMENT=arenas count.`

// Analyzer finds memory of an arena that is used after the arena ended.
var Analyzer = &analysis.Analyzer{
	Name:     "arenause",
	Doc:      doc,
	Requires: []*analysis.Analyzer{lifetime.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		lifetime.Report(pass, lifetime.Use)
		return nil, nil
	},
}
