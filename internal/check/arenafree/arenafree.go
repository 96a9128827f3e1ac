// Package arenafree finds arenas that are not freed.
package arenafree

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/arenas"
)

const doc = `report arenas that are not freed on some path

An arena that is not freed keeps its blocks until the collector finds it, and gives
none of them to the next user of its pool.

	a := pool.Get()
	if err := decode(a, data); err != nil {
		return err // a is not freed
	}
	a.Free()

The check follows an arena that the function begins and neither returns, stores,
sends nor captures. A helper may use it, if it does not keep it. Paths that panic or
exit the process do not count. The remedy is to defer Free where the arena begins.`

// Analyzer finds arenas that are not freed.
var Analyzer = &analysis.Analyzer{
	Name:     "arenafree",
	Doc:      doc,
	Requires: []*analysis.Analyzer{arenas.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		arenas.Report(pass, arenas.Leak)
		return nil, nil
	},
}
