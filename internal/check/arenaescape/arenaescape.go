// Package arenaescape finds memory of an arena that outlives the arena.
package arenaescape

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/arenas"
)

const doc = `report memory of an arena that outlives it

A function that ends an arena must not let memory of it out.

	defer a.Free()
	return arena.String(a, name)

The check reports memory that is returned under a deferred Free, and memory that a
function keeps in a variable of the package or behind a parameter, sends on a
channel, or leaves to a goroutine, if it ends the arena on every path from there. A
helper that keeps the memory is reported at its call. The check is silent where the
function waits for other goroutines, or gives the place another value. A copy by Clone
or Promote ends the concern.`

// Analyzer finds memory of an arena that outlives the arena.
var Analyzer = &analysis.Analyzer{
	Name:     "arenaescape",
	Doc:      doc,
	Requires: []*analysis.Analyzer{arenas.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		arenas.Report(pass, arenas.Escape)
		return nil, nil
	},
}
