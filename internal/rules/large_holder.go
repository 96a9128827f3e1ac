package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var largeHolder = &finding.Rule{
	Name:  "large-holder",
	Live:  true,
	Title: "one line holds much of the live heap",
	Doc: `Finds a line whose objects are a large part of the live heap and that no other rule reports. This is not a fault:
a program holds the data that it works on. It shows where to look if the process is larger than it should be, and
promises no saving.`,
	Remedy:  stillNeeded,
	Example: "go tool pprof -sample_index=inuse_space -list 'FUNCTION' heap.pb.gz",
	Risk:    "None.",
	Find:    findLargeHolders,
}

const (
	stillNeeded = "Ask whether all of it is needed: smaller types, fewer copies of equal values, a smaller bound " +
		"of a cache, memory without pointers."
	// largeShare is the share of the live heap from which on a holder is large.
	largeShare = 0.25
	// largeBytes is the smallest size in bytes at which people ask who holds memory.
	largeBytes = 4 << 20
	// muchMemory is the size in bytes from which on a holder comes before findings that save
	// less CPU time than holderWeight, for a holder of the whole heap: whoever has a problem
	// with memory looks for it.
	muchMemory   = 16 << 20
	holderWeight = 0.05
)

func findLargeHolders(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	explained, missed := grown(e), missedOfDependencies(e)
	var all []finding.Finding
	for i := range e.Sites {
		s := &e.Sites[i]
		if s.Memory.High < largeShare || s.Live.Bytes < largeBytes || explained[s] || !s.Own || isMadeBy(e, s, missed) {
			continue
		}
		f := finding.FindingAt(e, s)
		f.CPU, f.Memory = evidence.Range{}, evidence.Range{}
		f.Confidence = evidence.High
		f.Title = "holds " + format.RoughShare(s.Memory.High) + " of the live heap"
		f.Evidence = []finding.Figure{{Name: "live", Value: s.Live.Bytes, Unit: "bytes"}, {Name: "live", Value: s.Live.Objects, Unit: "objects"}}
		switch g := s.Growth; {
		case g == nil:
		case g.Enough > 0: // a range from far below zero to far above zero is no useful figure
			f.Remedy = "Whether it grows cannot be decided yet: watch it with -gc and " +
				"a longer -duration. " + stillNeeded
		default:
			f.Evidence = append(f.Evidence, finding.Figure{Name: "growth at least", Value: g.Low, Unit: "bytes/hour"}, finding.Figure{Name: "at most", Value: g.High, Unit: "bytes/hour"})
		}
		if s.Live.Bytes >= muchMemory {
			f.Weight, f.Apart = holderWeight*s.Memory.High, true
		}
		describeHolder(&f, e, s)
		all = append(all, f)
	}
	return all
}

// describeHolder adds to a finding what holds a site's memory. The remedy for the holder comes
// before the general one, because the memory may have been there since the start.
func describeHolder(f *finding.Finding, e *evidence.Evidence, s *evidence.Site) {
	if isBallast(e, s) {
		f.Title += ": a ballast, which nobody reads"
		f.Remedy = "Remove it, and set GOMEMLIMIT instead, or GOGC: the collector then starts as late without it. The system gives " +
			"a ballast no memory only as long as nothing is written there; one that is made anew, in memory that was in use before, " +
			"is resident. Package gctune of this project holds a heap floor without any memory."
		f.Example = "// GOMEMLIMIT=900MiB ./service, or at its start:\ndebug.SetMemoryLimit(900 << 20)"
		f.Risk = "Near its limit a program collects again and again: leave room above the live heap."
		f.Memory.High = s.Memory.High
		return
	}
	if h, at := heldBy(e, s); h != nil {
		f.Remedy, f.Example = h.remedy, h.example
		f.Memory.High = s.Memory.High
		f.Title += ": " + h.title
		if at != s.Frame {
			f.Change = &at
		}
		return
	}
	file, what, near := finding.Keeper(e, s)
	if call, ok := recipient(e, s); ok && what.Kind == "" {
		f.Remedy += " " + holderInLibrary(e, call)
	}
	if what.Kind == "" || near && what.Popped.Line+what.Emptied.Line == 0 {
		return
	}
	f.Change = &evidence.Frame{Function: s.Function, File: file, Line: what.Line}
	switch {
	case what.Popped.Line > 0:
		poppedWords(f, what)
		f.Memory.High = s.Memory.High
	case what.Kind == source.MapInsert && what.Shrinks:
		f.Title += ": a map does not shrink when entries are deleted"
		f.Remedy = fmt.Sprintf("After many entries were deleted (%s), copy the rest into a new map and drop "+
			"the old one: %s keeps the memory of the most entries that it ever had "+
			"(golang/go#20135), and neither delete nor clear gives it back. If it never had many more, ask "+
			"whether all of it is needed.", finding.FileAndLine(what.Taken), what.Target)
		f.Example = "m = maps.Clone(m) // a new map of the size that is left"
	case what.Emptied.Line > 0:
		emptiedWords(f, what)
		f.Memory.High = s.Memory.High
	case what.Bounded:
		f.Title += fmt.Sprintf(": entries of a cache (%s)", finding.FileAndLine(what.Position))
		f.Remedy = fmt.Sprintf("%s evicts entries when it is full. If its bound is a number of entries, a few large ones "+
			"take any amount of memory: use a bound in bytes, keep large entries out of it, or lower the bound. ", what.Target) + f.Remedy
		f.Example = "if len(text) <= 64<<10 { // larger ones are made again\n\tcache.Add(key, text)\n}"
	case finding.IsSend(what):
		f.Title += fmt.Sprintf(": it waits in a channel (%s)", finding.FileAndLine(what.Position))
		f.Remedy = "Make the channel smaller: it may hold its capacity times the size of an element, and where " +
			"elements differ in size, a bound of their bytes says more than a number. A full channel also means " +
			"that the receiver is slower than the senders. " + f.Remedy
		f.Example = "jobs := make(chan *job, 16) // not 1024, of 100 KB each"
		f.Memory.High, f.Confidence = s.Memory.High, evidence.Medium
	case what.Shrinks && what.Line == s.Line && isTables(e, s):
		f.Title += ": perhaps tables of a map, which does not shrink when entries are deleted"
		f.Remedy = fmt.Sprintf("If %s once had many more entries, its map keeps the memory of the most that it ever had "+
			"(golang/go#20135), and no deletion or expiry gives it back: put what is left into a new one once the peak is "+
			"over, or bound the peak. ", what.Target) + f.Remedy
		f.Example = "fresh := newCache()\nfor key, item := range old.Items() {\n\tfresh.Set(key, item)\n}"
		f.Memory.High, f.Confidence = s.Memory.High, evidence.Medium
	case what.Kind == source.MapInsert || what.Kind == source.Keep || what.Kind == source.Append:
		f.Remedy += fmt.Sprintf(" %s (%s) holds it, and no code of the package takes from it.", what.Target,
			finding.FileAndLine(what.Position))
		if what.Shrinks {
			f.Remedy = strings.Replace(f.Remedy, "no code of the package takes from it", "code of the package takes from it ("+finding.FileAndLine(what.Taken)+")", 1)
		}
	}
}

// isTables reports whether a site's memory is in objects of the size of a map's tables, which a
// dependency allocates. A table has up to 1024 entries.
func isTables(e *evidence.Evidence, s *evidence.Site) bool {
	leaf := s.Path[0]
	size := s.Live.Bytes / s.Live.Objects
	return !e.Owns(leaf) && !owner.OfStandard(profile.PackageOf(leaf.Function)) && size > 8<<10 && size < 256<<10
}

// isBallast reports whether a site makes large slices of bytes for a variable that nobody reads.
func isBallast(e *evidence.Evidence, s *evidence.Site) bool {
	return s.Live.Bytes >= muchMemory*s.Live.Objects && slices.ContainsFunc(e.Source.Allocations(s.File, s.Line), func(a source.Allocation) bool {
		return a.Kind == source.MakeSlice && a.Unread && a.Type == "[]byte"
	})
}
