package evidence

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

// Likeness compares where two programs, or two loads of one program, spend a metric: this
// evidence's and production's. Shares are parts of what the program's own code causes,
// tests left out; each cost counts at its innermost own frame.
type Likeness struct {
	Metric string `json:"metric"` // "CPU" or "bytes"
	// Lines and Functions are the overlaps of the shares, 0 to 1: the sum of the smaller
	// share of each.
	Lines     float64 `json:"lines"`
	Functions float64 `json:"functions"`
	// Reached is the share of production's that is in functions which this evidence shows
	// at all.
	Reached float64 `json:"reached"`
	// Less are the functions with more in production, More those with less, the largest
	// difference first.
	Less []Difference `json:"less,omitempty"`
	More []Difference `json:"more,omitempty"`
}

// Difference is a function's shares.
type Difference struct {
	Function   string  `json:"function"`
	Here       float64 `json:"here"`
	Production float64 `json:"production"`
}

const (
	// maxDifferences is how many functions each side of a Likeness names, and
	// minDifference the least difference worth a name.
	maxDifferences = 5
	minDifference  = 0.02
)

// metrics are the weights that a Likeness compares.
var metrics = []struct {
	name string
	of   func(Weight) float64
}{
	{"CPU", func(w Weight) float64 { return w.CPU }},
	{"bytes", func(w Weight) float64 { return w.Alloc.Bytes }},
}

// Alike compares the evidence with production's, by the metrics that both have.
func (e *Evidence) Alike(production *Evidence) []Likeness {
	var all []Likeness
	for _, m := range metrics {
		here, there := e.shares(m.of), production.shares(m.of)
		if len(here) > 0 && len(there) > 0 {
			all = append(all, alike(m.name, here, there))
		}
	}
	return all
}

// CPUShares returns each own function's share of the CPU time that Alike compares; it is
// empty without a CPU profile.
func (e *Evidence) CPUShares() map[string]float64 { return byFunction(e.shares(metrics[0].of)) }

func alike(metric string, here, there map[Frame]float64) Likeness {
	l := Likeness{Metric: metric, Lines: overlap(here, there)}
	ours, theirs := byFunction(here), byFunction(there)
	l.Functions = overlap(ours, theirs)
	for _, fn := range slices.Sorted(maps.Keys(union(ours, theirs))) {
		d := Difference{Function: fn, Here: ours[fn], Production: theirs[fn]}
		if d.Here > 0 {
			l.Reached += d.Production
		}
		switch {
		case d.Production-d.Here >= minDifference:
			l.Less = append(l.Less, d)
		case d.Here-d.Production >= minDifference:
			l.More = append(l.More, d)
		}
	}
	l.Less, l.More = largest(l.Less), largest(l.More)
	return l
}

// shares returns the shares of a metric by innermost own frame.
func (e *Evidence) shares(of func(Weight) float64) map[Frame]float64 {
	all, sum := map[Frame]float64{}, 0.0
	for i := range e.weights {
		w := of(e.weights[i])
		if w <= 0 {
			continue
		}
		frames := e.Frames(profile.StackID(i))
		j := slices.IndexFunc(frames, e.Owns)
		if j < 0 || strings.HasSuffix(frames[j].File, "_test.go") {
			continue
		}
		f := frames[j]
		f.File = "" // another build has another path
		all[f] += w
		sum += w
	}
	for f := range all {
		all[f] /= sum
	}
	return all
}

func byFunction(lines map[Frame]float64) map[string]float64 {
	all := map[string]float64{}
	for f, share := range lines {
		all[f.Function] += share
	}
	return all
}

func union[K comparable](a, b map[K]float64) map[K]float64 {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func overlap[K comparable](a, b map[K]float64) (sum float64) {
	for k, share := range a {
		sum += min(share, b[k])
	}
	return sum
}

// largest keeps the largest differences.
func largest(all []Difference) []Difference {
	slices.SortStableFunc(all, func(a, b Difference) int {
		return cmp.Compare(max(b.Here-b.Production, b.Production-b.Here), max(a.Here-a.Production, a.Production-a.Here))
	})
	return all[:min(len(all), maxDifferences)]
}
