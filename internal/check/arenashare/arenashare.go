// Package arenashare finds arenas that two goroutines use at once.
package arenashare

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/lifetime"
)

const doc = `report an arena that two goroutines use at once

An arena is for one goroutine at a time; a Pool is for all. Two goroutines that
allocate in one arena at once may get the same memory.

	for _, part := range parts {
		go func() { decode(a, part) }()
	}

The check reports a goroutine that a loop starts with an arena from outside of the
loop, and a use that follows the start of a goroutine that has the arena. It is
silent where something waits between the two, and where the goroutine takes a lock
or waits itself. Values that a constructor returns with an arena of their own count
as the arena. The remedy is an arena for each goroutine: pool.Get.`

// Analyzer finds arenas that two goroutines use at once.
var Analyzer = &analysis.Analyzer{
	Name:     "arenashare",
	Doc:      doc,
	Requires: []*analysis.Analyzer{lifetime.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		lifetime.Report(pass, lifetime.Share)
		return nil, nil
	},
}
