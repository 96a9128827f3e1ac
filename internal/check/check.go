// Package check lists the static checks.
//
// The stance: a check reports only faults, and lines that cost something.
package check

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/appendwithoutroom"
	"github.com/heapwright/heapwright/internal/check/arenaescape"
	"github.com/heapwright/heapwright/internal/check/arenafree"
	"github.com/heapwright/heapwright/internal/check/arenashare"
	"github.com/heapwright/heapwright/internal/check/arenause"
	"github.com/heapwright/heapwright/internal/check/boxing"
	"github.com/heapwright/heapwright/internal/check/closure"
	"github.com/heapwright/heapwright/internal/check/constantmap"
	"github.com/heapwright/heapwright/internal/check/deferloop"
	"github.com/heapwright/heapwright/internal/check/eager"
	"github.com/heapwright/heapwright/internal/check/encoder"
	"github.com/heapwright/heapwright/internal/check/formatting"
	"github.com/heapwright/heapwright/internal/check/mapwithoutsize"
	"github.com/heapwright/heapwright/internal/check/pointerfield"
	"github.com/heapwright/heapwright/internal/check/poolcap"
	"github.com/heapwright/heapwright/internal/check/poolput"
	"github.com/heapwright/heapwright/internal/check/poolreset"
	"github.com/heapwright/heapwright/internal/check/recompile"
	"github.com/heapwright/heapwright/internal/check/requestbuffer"
	"github.com/heapwright/heapwright/internal/check/retention"
	"github.com/heapwright/heapwright/internal/check/sorting"
	"github.com/heapwright/heapwright/internal/check/split"
	"github.com/heapwright/heapwright/internal/check/stringconcatenation"
	"github.com/heapwright/heapwright/internal/check/stringconversion"
	"github.com/heapwright/heapwright/internal/check/timeformat"
	"github.com/heapwright/heapwright/internal/check/unboundedgrowth"
	"github.com/heapwright/heapwright/internal/check/unstoppedticker"
)

// Kind determines when a check runs.
type Kind string

const (
	Correctness Kind = "correctness" // always
	Performance Kind = "performance" // with a profile, for its expensive lines, or with -all
	Escape      Kind = "escape"      // as performance, but only in heapwright vet, which asks the compiler whether a value escapes
	Retention   Kind = "retained"    // only with a profile: on other lines most of the memory does not matter
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
	{unstoppedticker.Analyzer, Correctness},

	{recompile.Analyzer, Performance},
	{constantmap.Analyzer, Performance},
	{encoder.Analyzer, Performance},
	{requestbuffer.Analyzer, Performance},
	{appendwithoutroom.Analyzer, Performance},
	{mapwithoutsize.Analyzer, Performance},
	{stringconversion.Analyzer, Performance},
	{formatting.Analyzer, Performance},
	{stringconcatenation.Analyzer, Performance},
	{timeformat.Analyzer, Performance},
	{eager.Analyzer, Performance},
	{split.Analyzer, Performance},
	{sorting.Analyzer, Performance},
	{pointerfield.Analyzer, Performance},
	{deferloop.Analyzer, Performance},
	{poolcap.Analyzer, Performance},
	{poolreset.Analyzer, Performance},
	{retention.Analyzer, Performance},

	{boxing.Analyzer, Escape},
	{closure.Analyzer, Escape},

	{unboundedgrowth.Analyzer, Retention},
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
