package finding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/check/placement"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/sample"
)

// Figure is a number that supports a finding.
type Figure struct {
	Name  string  `json:"name"` // a name for people: "allocated", "survives"
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"` // "bytes", "bytes/s", "objects", "fraction", "seconds" …
}

// Finding is one thing to change.
type Finding struct {
	Rule       string              `json:"rule"`
	File       string              `json:"file"` // "" where it is about the whole program
	Line       int                 `json:"line"`
	Function   string              `json:"function"`
	Title      string              `json:"title"`            // the fault in a few words
	Source     string              `json:"source,omitempty"` // the line's text
	Path       []evidence.Frame    `json:"path,omitempty"`   // the heaviest call path, the leaf first
	Change     *evidence.Frame     `json:"change,omitempty"` // the line to change, where it is not the line that allocates
	Root       *evidence.Frame     `json:"root,omitempty"`   // the function in which an arena should begin and end
	Escape     string              `json:"escape,omitempty"` // why the compiler put it on the heap
	Evidence   []Figure            `json:"evidence,omitempty"`
	Remedy     string              `json:"remedy"`
	Example    string              `json:"example,omitempty"` // Go code of another program, several lines; generic
	Patch      string              `json:"patch,omitempty"`   // a unified diff of this code; the package type-checks with it
	Check      string              `json:"check,omitempty"`   // the static check whose fix Patch is
	Risk       string              `json:"risk,omitempty"`
	Confidence evidence.Confidence `json:"confidence"`
	CPU        evidence.Range      `json:"cpu"`               // share of the process's CPU time that the remedy saves
	Memory     evidence.Range      `json:"memory"`            // share of the live heap that it saves
	Resident   evidence.Range      `json:"resident,omitzero"` // share of the resident memory that it saves, where that is outside the heap
	// Production has the CPU time of the function here and in production; nil where that is
	// not known.
	Production *evidence.Difference `json:"production,omitempty"`
	Price      *Price               `json:"price,omitempty"` // nil where it was not asked for
	// Benchmarks have the function in their profiles, the one with the largest part at the line
	// first. Nil is not known, or a single benchmark.
	Benchmarks []sample.Key `json:"benchmarks,omitempty"`
	Others     []Finding    `json:"others,omitempty"` // other findings of the line or of the same cause, each with its own savings

	// Library are the lines of a dependency that allocate it, the heaviest first. The
	// ranges above are of the whole call, theirs of the line.
	Library []LibraryLine `json:"library,omitempty"`
	// Callee is the function of a dependency whose CPU time the finding is about, beside its
	// allocations; nil for other findings.
	Callee *LibraryLine `json:"callee,omitempty"`

	// Column is where the compiler puts the allocation in the line, 0 if that is not known.
	Column int `json:"-"`

	// Made are the places that make the objects of an arena that begins in Root.
	Made []placement.Place `json:"-"`

	cause *Cause          // nil where the rule has searched on its own
	Held  evidence.Amount `json:"-"` // live memory that Memory is of, as sampled
	Exact bool            `json:"-"` // it rests on counts or a trend, not on a number of samples
	Start bool            `json:"-"` // belongs to the start of a test binary or of a benchmark, outside the measured loop
	Prose bool            `json:"-"` // no example fits the remedy
	// Spares is set for a setting that spares collections, which need garbage to begin.
	Spares bool `json:"-"`
	// Grows is set if memory grows without end, which more room for the heap would hide.
	Grows   bool    `json:"-"`
	garbage float64 // share of all bytes allocated that the remedy removes
	// Weight is the ceiling of findings that come before this one, which claims no saving
	// itself.
	Weight float64 `json:"-"`
	// Apart is set for a problem that others of its line do not explain: memory that is held,
	// beside garbage.
	Apart bool `json:"-"`
	// Share is a part of all bytes allocated, of all goroutines or of CPU time. It ranks the
	// finding if no profile gives the cost.
	Share float64 `json:"-"`
}

// Ceiling returns the largest share of CPU or of memory that the finding could save. Findings
// are ranked by it.
func (f *Finding) Ceiling() float64 { return max(f.CPU.High, f.Memory.High, f.Resident.High) }

// minShare is the smallest share of all allocated bytes at which a cause is reported, if no CPU
// profile shows its cost.
const minShare = 0.05

// Significant reports whether a finding could save enough to be reported, or,
// without a CPU profile, whether it may.
func (f *Finding) Significant() bool { return f.Ceiling() >= evidence.MinSaving || f.Share >= minShare }

// limit lowers the confidence if few samples show the finding's cost, and adds their number to
// the evidence.
func (f *Finding) limit(e *evidence.Evidence) {
	if f.Exact {
		return
	}
	shown := f.CPU.Middle() * e.Costs.Samples
	if f.cause != nil { // the samples show the whole cause, whatever part of it the remedy saves
		shown = f.cause.Saves.Middle() * e.Costs.Samples
		if e.CPU == nil {
			shown = e.Samples(f.cause.Alloc)
		}
	}
	if f.Memory.High > 0 {
		shown = max(shown, e.Samples(f.Held))
	}
	if c := f.Confidence.With(shown); c != f.Confidence {
		f.Confidence = c
		f.Evidence = append(f.Evidence, Figure{"samples that show it", math.Round(shown), "count"})
	}
}

// age says so in the text if a finding about the live heap rests on an old heap profile.
func (f *Finding) age(e *evidence.Evidence) {
	if !e.Stale.OK {
		return
	}
	f.Title = fmt.Sprintf("as of a collection %s ago: %s", format.Seconds(math.Round(e.Stale.Value)), f.Title)
	f.Confidence = evidence.Low
	f.Remedy = "Take the heap profiles again with -gc: while they were taken, hardly any collection ran, so they show an older heap. " + f.Remedy
}

// FindingAt returns a finding at a site with the site's own facts filled in:
// place, path, source line, escape reasons, ceilings.
func FindingAt(e *evidence.Evidence, s *evidence.Site) Finding {
	f := Finding{File: s.File, Line: s.Line, Function: s.Function, Path: s.Path, CPU: s.CPU, Memory: s.Memory, Held: s.Live}
	f.Source, _ = e.Source.Line(s.File, s.Line)
	var reasons []string
	for _, x := range e.Source.Escapes(s.File, s.Line) {
		reasons = append(reasons, x.String())
	}
	f.Escape = strings.Join(reasons, "; ")
	return f
}

// OfTest reports whether a finding is about the test and not about the program. Its line is in
// a test file, and no line of a dependency allocates, or it belongs to the start of a test
// binary.
func (f *Finding) OfTest() bool {
	return f.Start || strings.HasSuffix(f.File, "_test.go") && len(f.Library) == 0
}

// benchmarked reports whether the profiles are of benchmarks.
func benchmarked(e *evidence.Evidence) bool {
	return slices.ContainsFunc(e.Sites, func(s evidence.Site) bool {
		return slices.ContainsFunc(s.Path, func(f evidence.Frame) bool { return f.Function == "testing.(*B).runN" })
	})
}

// beforeBenchmarks reports whether a path leads through the initialization of a
// package or a TestMain.
func beforeBenchmarks(path []evidence.Frame) bool {
	return slices.ContainsFunc(path, func(f evidence.Frame) bool {
		return f.Function == "runtime.doInit1" || strings.HasSuffix(f.Function, ".TestMain")
	})
}

// rank orders findings. Test code comes last. Then the highest ceiling comes first, and
// then place and rule decide, so that equal evidence gives equal output.
func rank(all []Finding) {
	slices.SortFunc(all, func(a, b Finding) int {
		if a.OfTest() != b.OfTest() {
			if a.OfTest() {
				return 1
			}
			return -1
		}
		return cmp.Or(
			cmp.Compare(b.most(), a.most()),
			cmp.Compare(b.Share, a.Share),
			cmp.Compare(b.CPU.Middle()+b.Memory.Middle(), a.CPU.Middle()+a.Memory.Middle()),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule))
	})
}

// group keeps the best finding of each line, and of findings in one function with the same
// cause: one rule would say the same about several lines. It adds the others to the finding
// that stays. The findings are in rank order.
func group(all []Finding, ceiling float64) []Finding {
	var best []Finding
	for _, f := range all {
		i := slices.IndexFunc(best, func(b Finding) bool {
			sameLine := b.Line == f.Line && b.Apart == f.Apart
			return f.File != "" && f.Resident.High == 0 && b.File == f.File && (sameLine || b.sameCause(&f))
		})
		if i < 0 {
			best = append(best, f)
			continue
		}
		if b := &best[i]; b.sameCause(&f) {
			b.CPU = evidence.Range{Low: b.CPU.Low + f.CPU.Low, High: max(b.CPU.High, min(ceiling, b.CPU.High+f.CPU.High))}
			b.Memory = evidence.Range{Low: b.Memory.Low + f.Memory.Low, High: min(1, b.Memory.High+f.Memory.High)}
		}
		best[i].Others = append(best[i].Others, f)
	}
	rank(best)
	return best
}

// sameCause reports whether a finding of another line of the function says the same.
func (f *Finding) sameCause(other *Finding) bool {
	return f.Line != other.Line && f.Rule == other.Rule && f.Function == other.Function && f.Title == other.Title && f.Start == other.Start
}
