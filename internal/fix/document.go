package fix

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/fix/guard"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// Schema is the version of Document. It changes when a field changes its meaning or
// goes; a new field does not change it.
const Schema = "heapwright.fix/1"

// Document holds the changes that were tried, and the patch of those that are proven.
type Document struct {
	Schema string    `json:"schema"`
	Tool   string    `json:"tool"` // version of heapwright
	Made   time.Time `json:"made"`
	// Command is the command line, and Dir the folder in which it was typed.
	Command []string `json:"command"`
	Dir     string   `json:"dir"`
	Target  string   `json:"target"`
	Root    string   `json:"root"` // the folder that the names in patches are relative to
	// Plan is how to continue. Stopped is the reason of an early end, "" of a complete run.
	Plan    *PlanRecord `json:"plan"`
	Stopped string      `json:"stopped,omitempty"`

	Answer  string   `json:"answer"` // one or two sentences
	Changes []Change `json:"changes"`
	// Patch is the unified diff of all changes that are kept, "" if there are none.
	// Gain is the comparison's verdict on it.
	Patch string   `json:"patch,omitempty"`
	Gain  *Gain    `json:"gain,omitempty"`
	Notes []string `json:"notes,omitempty"`

	Diagnosis *diagnose.Document `json:"diagnosis"`
	Compared  *result.Document   `json:"compared,omitempty"` // each change alone; nil where none was measured
	Combined  *result.Document   `json:"combined,omitempty"` // all that are kept; nil where that is one change or none

	// spent is the time for comparisons, in this part of the run.
	spent time.Duration
}

// Outcome is the decision on a change.
type Outcome string

const (
	Kept     Outcome = "kept"     // better, and the tests pass
	Unproven Outcome = "unproven" // better, but the tests cannot show that it is right
	Rejected Outcome = "rejected" // not better, or something fails with it
)

// Change is one rewrite of source.
type Change struct {
	// Check is the static check that proposes the change, or "proposal" for the answer of a
	// proposer. Rule and Title are the finding's.
	Check    string         `json:"check"`
	Rule     string         `json:"rule"`
	Title    string         `json:"title"`
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Function string         `json:"function"`
	Estimate evidence.Range `json:"estimate"` // share of CPU that the finding may save
	// Production has the CPU time of the function here and in production; nil where that is
	// not known.
	Production *evidence.Difference `json:"production,omitempty"`
	// Benchmarks reach the finding's function, as the finding has them. Nil is not known.
	// Part is the part of the profiled benchmarks in which the change is measured; 0 is all.
	Benchmarks []sample.Key `json:"benchmarks,omitempty"`
	Part       float64      `json:"part_of_benchmarks,omitempty"`
	Patch      string       `json:"patch"`
	Mode       string       `json:"mode"` // the comparison's name for it
	Gain       *Gain        `json:"gain,omitempty"`
	Proof      []Step       `json:"proof,omitempty"`
	Outcome    Outcome      `json:"outcome"`
	Why        string       `json:"why"`
	// Round is the proposer's round, from 1 on; 0 is a check's change. Refused are the rules
	// for proposals that it breaks.
	Round   int             `json:"round,omitempty"`
	Refused []guard.Refusal `json:"refused,omitempty"`
}

// Origin says who proposes the change.
func (c *Change) Origin() string {
	if c.Round > 0 {
		return fmt.Sprintf("%s, round %d", c.Check, c.Round)
	}
	return c.Check
}

// InProduction is the share of CPU that the change's gain comes to in production, where the
// function has another part of it; negative is a gain. It is false where that is not known.
func (c *Change) InProduction() (share float64, ok bool) {
	if c.Production == nil || c.Gain == nil || !(c.Production.Here > 0) || !(c.Gain.Geomean[cpu] > 0) {
		return 0, false
	}
	// The change does nothing in the benchmarks in which it is not measured.
	here := math.Pow(c.Gain.Geomean[cpu], cmp.Or(c.Part, 1))
	return (here - 1) * c.Production.Production / c.Production.Here, true
}

// Gain is the verdict of a comparison on a change.
type Gain struct {
	Better  []Effect           `json:"better,omitempty"`
	Worse   []Effect           `json:"worse,omitempty"`
	Geomean map[string]float64 `json:"geomean"` // ratio to the original over all benchmarks, by metric
	Blocks  int                `json:"blocks"`
}

// Effect is a decided difference of one metric in one benchmark.
type Effect struct {
	Benchmark string  `json:"benchmark"`
	Metric    string  `json:"metric"`
	Ratio     float64 `json:"ratio"` // changed/original, 0.8 is 20% less
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
}

// Step is a command of the proof.
type Step struct {
	Name    string  `json:"name"` // "vet", "tests", "race"
	Command string  `json:"command"`
	Passed  bool    `json:"passed"`
	Seconds float64 `json:"seconds"`
	// Output is empty if the step passed. Only vet then has the diagnostics that it reports
	// without the change, too.
	Output string `json:"output,omitempty"`
}
