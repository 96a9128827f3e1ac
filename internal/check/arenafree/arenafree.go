// Package arenafree finds arenas that are not freed.
package arenafree

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/lifetime"
)

const doc = `report arenas that are not freed on some path

An arena that is not freed keeps its memory until the collector finds it, and returns
none of it to its pool.

	a := pool.Get()
	if err := decode(a, data); err != nil {
		return err // a is not freed
	}
	a.Free()

The check follows an arena that the function begins, and a value that a constructor
returns with an arena of its own and a method that frees it. It reports a path to the
end of the function on which the arena is neither freed nor returned, stored, sent or
captured. It is silent where the function frees it on some paths and hands it on on
others. A helper may use it, and may keep it in a field that nothing frees: then only
returns of an error count. Paths that panic or exit the process do not count. The
remedy is to defer Free where the arena begins.`

// Analyzer finds arenas that are not freed.
var Analyzer = &analysis.Analyzer{
	Name:     "arenafree",
	Doc:      doc,
	Requires: []*analysis.Analyzer{lifetime.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		lifetime.Report(pass, lifetime.Leak)
		return nil, nil
	},
}
