package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/leak"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var unboundedGrowth = &finding.Rule{
	Name:  "unbounded-growth",
	Title: "a container only grows",
	Doc: `Finds memory that stays and grows: in three or more heap profiles, the whole interval of the trend of its live
bytes is above zero, or a few objects have become larger by leaps, as the array of a buffer does. Its holder is
what it is allocated through (a context, a timer, a vector of metrics), a library that got one of the object's
methods, or the longer-lived map, slice, element of a slice, list, cache or channel that the object is put into: by
the variables of the functions on its call path. Code in the
package that removes entries from a container contradicts a leak; it then takes five profiles, the confidence is
lower, and the finding names the line. It is wrong if the memory is the program's purpose, or if the program is
still filling the memory that it needs.`,
	Remedy: putABound,
	Example: `cache, err := lru.New[string, *Session](10_000) // hashicorp/golang-lru
if v, ok := cache.Get(key); ok {
	return v
}`,
	Risk:          "What is evicted has to be made again: choose the bound by the hit rate.",
	WithoutSource: "only the growth from one heap profile to the next, and not where it is kept",
	Claims: func(_ *evidence.Evidence, s *evidence.Site, x evidence.Expression) finding.Claim {
		if (x.Kind == source.Append || x.Kind == source.MapInsert) && x.Outlives && s.Retained {
			return finding.BySituation
		}
		return finding.Unclaimed
	},
	Find: findGrowth,
}

const putABound = "Put a bound on it: a cache that evicts entries by size (LRU) or age (TTL), or delete those that are " +
	"no longer used."

// A grower is a line that adds to something that lives long.
type grower struct {
	site  *evidence.Site // nil where the line itself has allocated nothing that was sampled
	file  string
	what  source.Allocation // the expression that adds to a container; without a kind if there is none
	near  bool              // the container is only near, so it is a guess
	by    *holder           // instead of a container; nil where there is none
	at    evidence.Frame    // the line that hands memory to it
	held  []*evidence.Site
	live  float64 // bytes
	share float64 // share of the live heap
}

func findGrowth(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	var all []finding.Finding
	for _, o := range growers(e) {
		unknown := o.unknown()
		if o.share < finding.MinHeld || o.live < evidence.Negligible || unknown && o.live < finding.MinRetained {
			continue
		}
		f := finding.FindingAt(e, o.held[0])
		if o.site != nil {
			f = finding.FindingAt(e, o.site)
		}
		f.CPU = evidence.Range{}
		for _, s := range o.held {
			f.CPU.High = min(1, f.CPU.High+s.CPU.High/2)
		}
		f.Memory = evidence.Range{Low: o.share / 4, High: o.share}
		growth, profiles := o.growth()
		of := "growth"
		if growth.Low <= 0 && e.HeapGrowth != nil { // too few samples are its own
			of, growth = "growth of the whole heap", *e.HeapGrowth
		}
		f.Exact, f.Grows = true, true // the interval of the slope has the sampling error
		f.Evidence = []finding.Figure{
			{Name: "live", Value: o.live, Unit: "bytes"}, {Name: "of the live heap", Value: o.share, Unit: "fraction"},
			{Name: of, Value: growth.PerHour, Unit: "bytes/hour"}, {Name: "at least", Value: growth.Low, Unit: "bytes/hour"},
			{Name: "heap profiles", Value: float64(profiles), Unit: "count"},
		}
		switch {
		case o.by != nil:
			o.by.words(&f, o.at, e)
			if f.Confidence = o.confidence(); o.by == values {
				f.Confidence = evidence.Low
			}
		case unknown:
			f.Title, f.Remedy, f.Confidence = "memory that stays and grows", unknownHolder, evidence.Low
			if call, ok := recipient(e, o.held[0]); ok {
				f.Title, f.Remedy = "memory that stays and grows, perhaps in a library", holderInLibrary(e, call)
			}
			f.Example, f.Risk = "go tool pprof -sample_index=inuse_space -base first.pb.gz -list "+
				"'FUNCTION' last.pb.gz", "None."
			if !o.held[0].Own { // connections of a server, say: no line to change
				f.Title = "memory that stays and grows, allocated by libraries alone"
				f.File, f.Line, f.Source = "", 0, ""
			}
		default:
			o.ofContainer(e, &f)
		}
		if !o.held[0].Own && o.by == nil {
			addStart(&f, e, o)
		}
		all = append(all, f)
	}
	return all
}

// ofContainer describes the growth of one of the program's maps, slices, lists, caches or
// channels.
func (o *grower) ofContainer(e *evidence.Evidence, f *finding.Finding) {
	f.File, f.Line = o.file, o.what.Line
	f.Source, _ = e.Source.Line(f.File, f.Line)
	if fn, ok := e.Source.Function(f.File, f.Line); ok && o.site == nil {
		f.Function = fn.Name
	}
	containerWords(f, o.what)
	if !e.Owns(evidence.Frame{Function: o.what.In(), File: o.file}) {
		f.Title = o.what.Target + " grows in a library"
		inLibrary(e, o.held[0], f)
		return
	}
	if o.what.Bounded {
		f.Title, f.Confidence = o.what.Target+" is not full yet, or its entries grow", evidence.Low
		f.Remedy = "Once it is full, entries make room for others. If memory grows after that, entries keep more than " +
			"their own size: a part of a larger array, which a copy would free, or something that grows itself. " +
			"Otherwise lower its bound, or use a bound in bytes."
		f.Example = "cache.Add(key, bytes.Clone(part))"
		return
	}
	if o.what.Slot {
		slotWords(f, o.what)
		return
	}
	if !o.what.Shrinks {
		f.Title, f.Confidence = o.what.Target+" only grows", o.confidence()
		if parts := partWords(e, o.held[0]); parts != "" {
			f.Remedy = parts + cmp.Or(f.Remedy, putABound)
		}
		return
	}
	f.Title = fmt.Sprintf("%s grows, although code of the package takes from it (%s)", o.what.Target,
		finding.FileAndLine(o.what.Taken))
	f.Remedy = "Find out why less is taken than added: entries that are only removed when they are looked up and " +
		"never come back, a sweep that misses entries, a bound that is too large, a consumer that is too slow. " +
		"Sweep all of it once in a period, or put a bound on it. If it is a queue, its consumer is slower than the " +
		"producers, or tries the same entry again and again while somebody is down: give up after some attempts, and " +
		"drop what does not fit."
	if strings.HasPrefix(o.what.Type, "map[*") {
		f.Remedy += " Its keys are pointers: delete finds only the very object that was put in, " +
			"not another one with the same contents."
	}
	if at := addedLate(e, o.what); at.Line > 0 {
		f.Remedy = fmt.Sprintf("A goroutine adds to it (%s), perhaps only after the entry was removed, and then "+
			"nobody removes it again: add it before the goroutine starts, let the goroutine remove it, or wait for "+
			"the goroutine before the entry is removed. Otherwise: ", finding.FileAndLine(at)) +
			strings.ToLower(f.Remedy[:1]) + f.Remedy[1:]
	}
	if o.what.Guard != "" {
		boundWords(f, o.what)
	}
	cutWords(f, e, o.what)
	if call, ok := recipient(e, o.held[0]); ok {
		f.Remedy += keptByLibrary(call)
	}
	f.Confidence = evidence.Medium
}

// slotWords describes memory that the elements of a slice keep.
func slotWords(f *finding.Finding, what source.Allocation) {
	f.Title, f.Confidence = "each element of "+what.Target+" keeps its value until it gets another", evidence.Medium
	f.Remedy = "Set the element to its zero value where its value is taken. Until then it keeps the old value, and " +
		"all that this refers to, although nobody reads it any more: memory grows until each element was used once. " +
		"If all values are in use, have fewer or smaller ones."
	f.Example = "v := r.slots[r.head]\nr.slots[r.head] = nil // the slot keeps nothing"
	f.Risk = "None."
}

// addedLate returns the call, in a goroutine of its own, of the function that inserts into a map.
func addedLate(e *evidence.Evidence, what source.Allocation) source.Position {
	for _, call := range e.Source.Calls(what.In()) {
		if call.Apart && what.Kind == source.MapInsert {
			return call.Position
		}
	}
	return source.Position{}
}

// boundWords describes a bound that depends on a counter which the program keeps itself.
func boundWords(f *finding.Finding, what source.Allocation) {
	f.Title = fmt.Sprintf("%s grows: its bound is never reached, or too high (%s)", what.Target,
		finding.FileAndLine(what.Taken))
	f.Remedy = fmt.Sprintf("Code of the package takes from it only while %s, so nothing is evicted as long as that count "+
		"is too low. Look at each place that changes the count: one that stores an entry and adds nothing, subtracts "+
		"twice, or replaces an entry by one of another size.", what.Guard)
	if at := what.Uncounted; at.Line > 0 {
		f.Remedy += fmt.Sprintf(" The literal at %s leaves the size that is counted at zero: set it there.",
			finding.FileAndLine(at))
	}
	f.Remedy += " If the count is right, lower the bound."
	f.Example = "c.used += int64(len(b.data)) - old // the same for each way in and out"
}

// confidence is high if the trend of a site alone shows growth, and the holder is no guess.
func (o *grower) confidence() evidence.Confidence {
	if !o.near && slices.ContainsFunc(o.held, func(s *evidence.Site) bool { return s.Retained }) {
		return evidence.High
	}
	return evidence.Medium
}

// surely is the number of profiles from which on a trend outweighs source code that seems to
// contradict it.
const surely = 5

// growth sums up the slopes of the sites that a grower holds, and returns the
// number of profiles that show the trend.
func (o *grower) growth() (sum evidence.Growth, profiles int) {
	for _, s := range o.held {
		sum.PerHour, sum.Low, profiles = sum.PerHour+s.Growth.PerHour, sum.Low+s.Growth.Low, s.Growth.Profiles
	}
	return sum, profiles
}

// growers finds the lines that keep the memory of sites whose memory grows. A single
// profile shows no growth: a large part of its heap may have been made at the start.
func growers(e *evidence.Evidence) []*grower {
	var all []*grower
	missed, ofDependencies := missedReleases(e), missedOfDependencies(e)
	for i := range e.Sites {
		s := &e.Sites[i]
		if s.Memory.High < 0.01 || !s.Staying || s.Growth == nil || reportedElsewhere(e, s) {
			continue
		}
		if isMadeBy(e, s, ofDependencies) {
			continue // the rule unreleased reports it, whatever the library has called
		}
		g := grower{}
		if g.by, g.at = writtenTo(e, s); g.by == nil {
			g.by, g.at = heldBy(e, s)
		}
		if g.by == nil {
			if isMadeBy(e, s, missed) {
				continue // the rule unreleased reports it
			}
			g.find(e, s)
		}
		if (g.what.Shrinks || g.what.Bounded) && s.Growth.Profiles < surely {
			continue // it may have become full only recently
		}
		byHolder := g.by != nil && (e.HeapGrowth.Grows() || s.Doubles)
		onlyAdded := g.what.Kind != "" && !g.what.Shrinks && !g.what.Bounded && !g.what.Slot
		byContainer := g.by == nil && onlyAdded && (e.HeapGrowth.Grows() || !g.near)
		if !s.Retained && !byHolder && !byContainer {
			continue // only source that never takes anything out makes growth of a doubtful trend
		}
		j := slices.IndexFunc(all, func(o *grower) bool { return o.same(&g) })
		if j < 0 {
			all = append(all, &g)
			j = len(all) - 1
		}
		all[j].hold(s)
	}
	return all
}

// grown returns the sites whose memory growers keep. Its size is their fault.
func grown(e *evidence.Evidence) map[*evidence.Site]bool {
	all := map[*evidence.Site]bool{}
	for _, o := range growers(e) {
		for _, s := range o.held {
			all[s] = true
		}
	}
	return all
}

// reportedElsewhere reports whether the rules retention or goroutine-leak report a site.
func reportedElsewhere(e *evidence.Evidence, s *evidence.Site) bool {
	if _, part, _ := partOf(e, s); part.Kind != "" {
		return true
	}
	return slices.ContainsFunc(e.Waiting, func(p evidence.WaitingPlace) bool {
		return (len(p.Counts) == 1 || p.Grows) && leak.Holds(e, &p, s)
	})
}

// find looks for the keeper of a site's memory: a container of the program, or, where none is
// certain, a holder that gets its functions, deferred calls, a finalizer, or the slice of a
// loop.
func (g *grower) find(e *evidence.Evidence, s *evidence.Site) {
	g.file, g.what, g.near = finding.Keeper(e, s)
	if g.what.Kind == "" || g.what.Shrinks || finding.IsSend(g.what) { // who receives may not be visible
		g.file, g.what = finding.Deeper(e, s, g.file, g.what)
	}
	if plainElements.MatchString(g.what.Type) && s.Line != g.what.Line && !finding.GrowsItself(e, g.what) {
		g.file, g.what = "", source.Allocation{} // the array is the memory, and does not grow
	}
	if by, at := cycleOf(e, s, g.what); by != nil {
		*g = grower{by: by, at: at}
		return
	}
	if g.what.Kind != "" && !g.what.Shrinks {
		return
	}
	if by, at := handedOver(e, s); by != nil {
		*g = grower{by: by, at: at}
		return
	}
	if by, at := deferredIn(e, s, g.what.Kind != ""); by != nil {
		*g = grower{by: by, at: at}
		return
	}
	if g.what.Kind != "" {
		return
	}
	if g.by, g.at = endedByCollector(e, s.Callers()); g.by != nil {
		return
	}
	if g.file, g.what = finding.Followed(e, s, true); g.what.Kind != "" {
		return
	}
	if g.file, g.what = finding.Slot(e, s); g.what.Kind != "" {
		return
	}
	if g.by, g.at = registeredMethod(e, s); g.by != nil {
		return
	}
	if g.file, g.what = finding.LoopKeeper(e, s); g.what.Kind == "" && s.Retained {
		g.by, g.at = valueOf(e, s)
	}
}

// unknown reports whether nothing is known to hold the memory.
func (g *grower) unknown() bool { return g.what.Kind == "" && g.by == nil }

// same reports whether two growers are one. Those that keep nothing known are not.
func (g *grower) same(o *grower) bool {
	return g.by == o.by && g.at == o.at && g.file == o.file && g.what.Position == o.what.Position &&
		(o.by != nil || o.what.Kind != "")
}

// hold adds the memory of a site.
func (g *grower) hold(s *evidence.Site) {
	if s.File == g.file && s.Line == g.what.Line || s.Frame == g.at {
		g.site = s
	}
	g.held = append(g.held, s)
	g.live += s.Live.Bytes
	g.share = min(1, g.share+s.Memory.High)
}
