package rules

import (
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/leak"
	"github.com/heapwright/heapwright/internal/source"
)

var unboundedGrowth = &Rule{
	Name:  "unbounded-growth",
	Title: "a container only grows",
	Doc: `Finds memory that stays. With three or more heap profiles, the whole interval of the trend of its live bytes is
above zero; with one profile, most of it is still alive. Its owner is the longer-lived map, slice, list, cache or channel
that the object is put into: by the variables of the functions on its call path. Code in the package that removes entries
from the owner contradicts a leak. With a trend, the confidence is then lower and the finding names the line; with one
profile, there is no finding. One profile of a command that ends shows nothing either, since its live objects were in
use. It is wrong if the memory is the program's purpose, or if the program is still filling the memory that it needs.`,
	Remedy: "Put a bound on it: a cache with a largest size and an age, or delete entries that are no longer used.",
	Example: `cache, err := lru.New[string, *Session](10_000) // hashicorp/golang-lru
if v, ok := cache.Get(key); ok {
	return v
}`,
	Risk:          "What is evicted has to be made again: choose the bound by the hit rate.",
	WithoutSource: "only the growth from one heap profile to the next, and not where it is kept",
	Claims: func(_ *evidence.Evidence, s *evidence.Site, x evidence.Expression) Claim {
		if (x.Kind == source.Append || x.Kind == source.MapInsert) && x.Outlives && s.Retained {
			return BySituation
		}
		return Unclaimed
	},
	Find: findGrowth,
}

// grower is a line that adds to something of long life.
type grower struct {
	site  *evidence.Site // nil where the line itself has allocated nothing that was sampled
	file  string
	what  source.Allocation
	held  []*evidence.Site
	live  float64 // bytes
	share float64 // of the live heap
}

func findGrowth(e *evidence.Evidence, _ []Cause) []Finding {
	var all []Finding
	for _, o := range growers(e) {
		if o.share < minHeld || o.live < evidence.Negligible || o.what.Kind == "" && o.live < minRetained {
			continue
		}
		f := findingAt(e, o.held[0])
		if o.site != nil {
			f = findingAt(e, o.site)
		}
		f.CPU = evidence.Range{}
		for _, s := range o.held {
			f.CPU.High = min(1, f.CPU.High+s.CPU.High/2)
		}
		f.Memory = evidence.Range{Low: o.share / 4, High: o.share}
		f.Evidence = []Figure{{"live", o.live, "bytes"}, {"of the live heap", o.share, "fraction"}}
		growth, profiles := o.growth()
		f.exact = profiles > 0 // the interval of the slope has the sampling error
		if profiles > 0 {
			f.Evidence = append(f.Evidence, Figure{"growth", growth.PerHour, "bytes/hour"}, Figure{"at least", growth.Low, "bytes/hour"},
				Figure{"heap profiles", float64(profiles), "count"})
		}
		if o.what.Kind == "" {
			f.Title = "memory that stays and grows"
			f.Confidence = evidence.Low
			if !o.held[0].Own { // connections of a server, say: no line to change
				f.Title = "memory that stays and grows, allocated by libraries alone"
				f.File, f.Line, f.Source = "", 0, ""
				f.startedBy(e, o)
			}
			all = append(all, f)
			continue
		}
		f.File, f.Line = o.file, o.what.Line
		f.Source, _ = e.Source.Line(f.File, f.Line)
		if fn, ok := e.Source.Function(f.File, f.Line); ok && o.site == nil {
			f.Function = fn.Name
		}
		switch {
		case profiles == 0:
			f.Title = o.what.Target + " is added to, and nothing takes from it"
			f.Confidence = evidence.Medium
		case o.what.Shrinks:
			f.Title = fmt.Sprintf("%s grows, although code of the package takes from it (%s)", o.what.Target, fileAndLine(o.what.Taken))
			f.Remedy = "Find out why less is taken than added: a sweep that misses entries, a bound that is too large, a consumer that is too slow. Put a bound on it."
			f.Confidence = evidence.Medium
			if profiles < surely {
				f.Confidence = evidence.Low
			}
		default:
			f.Title = o.what.Target + " only grows"
			f.Confidence = evidence.High
		}
		if o.what.Kind == source.Append {
			f.Remedy = "Keep the last so many only: a ring, or copy the needed elements into a new slice and drop the old one."
			f.Example = "if len(s.items) == cap(s.items) {\n\tcopy(s.items, s.items[1:])\n\ts.items = s.items[:len(s.items)-1]\n}"
		}
		if !o.held[0].Own {
			f.startedBy(e, o)
		}
		all = append(all, f)
	}
	return all
}

// surely is the number of profiles from which on a trend outweighs half of a
// source that says otherwise.
const surely = 5

// growth sums up the slopes of the sites that a grower holds, and returns the
// number of profiles that show a trend, 0 without one.
func (o *grower) growth() (sum evidence.Growth, profiles int) {
	for _, s := range o.held {
		if s.Growth.Grows() {
			sum.PerHour, sum.Low, profiles = sum.PerHour+s.Growth.PerHour, sum.Low+s.Growth.Low, s.Growth.Profiles
		}
	}
	return sum, profiles
}

// growers finds the lines that keep the memory of sites whose memory stays.
func growers(e *evidence.Evidence) []*grower {
	var all []*grower
	for i := range e.Sites {
		s := &e.Sites[i]
		// Growth that was not seen needs more than a start-up table's bytes.
		if s.Memory.High < 0.01 || !s.Retained || len(e.Heaps) < 2 && s.Live.Bytes < minRetained {
			continue
		}
		if _, part, _ := partOf(e, s); part.Kind != "" {
			continue // a part keeps it: see the rule for that
		}
		if slices.ContainsFunc(e.Waiting, func(p evidence.WaitingPlace) bool { return (len(p.Counts) == 1 || p.Grows) && leak.Holds(e, &p, s) }) {
			continue // goroutines keep it
		}
		file, what := keeper(e, s)
		if (what.Kind == "" || what.Shrinks || e.Ended) && len(e.Heaps) < 2 {
			continue // live, and nothing says that it should not be
		}
		j := slices.IndexFunc(all, func(o *grower) bool { return o.what.Kind != "" && o.file == file && o.what.Position == what.Position })
		if j < 0 {
			all = append(all, &grower{file: file, what: what})
			j = len(all) - 1
		}
		o := all[j]
		if s.File == file && s.Line == what.Line {
			o.site = s
		}
		o.held = append(o.held, s)
		o.live += s.Live.Bytes
		o.share = min(1, o.share+s.Memory.High)
	}
	return all
}
