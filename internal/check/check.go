// Package check lists the static checks.
//
// The stance: a check reports only faults, and lines that cost something.
package check

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/arenaescape"
	"github.com/heapwright/heapwright/internal/check/arenafree"
	"github.com/heapwright/heapwright/internal/check/arenashare"
	"github.com/heapwright/heapwright/internal/check/arenause"
	"github.com/heapwright/heapwright/internal/check/boxing"
	"github.com/heapwright/heapwright/internal/check/byteconv"
	"github.com/heapwright/heapwright/internal/check/closureloop"
	"github.com/heapwright/heapwright/internal/check/deferloop"
	"github.com/heapwright/heapwright/internal/check/fmtconv"
	"github.com/heapwright/heapwright/internal/check/growonly"
	"github.com/heapwright/heapwright/internal/check/mapgrow"
	"github.com/heapwright/heapwright/internal/check/poolcap"
	"github.com/heapwright/heapwright/internal/check/poolput"
	"github.com/heapwright/heapwright/internal/check/poolreset"
	"github.com/heapwright/heapwright/internal/check/recompile"
	"github.com/heapwright/heapwright/internal/check/slicegrow"
	"github.com/heapwright/heapwright/internal/check/stringconcat"
	"github.com/heapwright/heapwright/internal/check/subslice"
	"github.com/heapwright/heapwright/internal/check/tickerstop"
	"github.com/heapwright/heapwright/internal/check/timeformat"
)

// Kind determines when a check runs.
type Kind string

const (
	Correctness Kind = "correctness" // always
	Performance Kind = "performance" // with a profile, for its expensive lines, or with -all
	Escape      Kind = "escape"      // as performance, but only in heapwright vet, which asks the compiler whether a value escapes
	Retention   Kind = "retention"   // only with a profile: on other lines most of the memory does not matter
)

// Check is an analyzer and its kind.
type Check struct {
	*analysis.Analyzer
	Kind Kind
}

// Checks are all checks, in the order in which docs/vet.md lists them.
var Checks = []Check{
	{arenause.Analyzer, Correctness},
	{arenafree.Analyzer, Correctness},
	{arenaescape.Analyzer, Correctness},
	{poolput.Analyzer, Correctness},
	{arenashare.Analyzer, Correctness},
	{tickerstop.Analyzer, Correctness},

	{recompile.Analyzer, Performance},
	{slicegrow.Analyzer, Performance},
	{mapgrow.Analyzer, Performance},
	{byteconv.Analyzer, Performance},
	{fmtconv.Analyzer, Performance},
	{stringconcat.Analyzer, Performance},
	{timeformat.Analyzer, Performance},
	{deferloop.Analyzer, Performance},
	{poolcap.Analyzer, Performance},
	{poolreset.Analyzer, Performance},
	{subslice.Analyzer, Performance},

	{boxing.Analyzer, Escape},
	{closureloop.Analyzer, Escape},

	{growonly.Analyzer, Retention},
}

// Find returns the check with a name, or nil if there is none.
func Find(name string) *Check {
	for i := range Checks {
		if Checks[i].Name == name {
			return &Checks[i]
		}
	}
	return nil
}
