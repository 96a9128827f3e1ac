package finding

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
)

const (
	// leastLeft is the smallest ceiling of a setting, after the lines are changed, at which it
	// stays among the findings.
	leastLeft = 0.03
	// mostOfGarbage is the share of the garbage from which on the line that makes it comes first:
	// once it is changed, the heap and its collections have to be measured again.
	mostOfGarbage = 0.6
)

// orderSettings ranks settings that spare collections by the saving that is left for them
// once the lines are changed that make the garbage: without garbage there is no collection
// to spare. A setting for which hardly anything is left becomes a note, and so does one
// that would take more memory while memory grows. The findings are in rank order.
func orderSettings(found []Finding) (ordered []Finding, notes []string) {
	lines := garbageOf(found)
	growth := slices.IndexFunc(found, func(f Finding) bool { return f.Grows && f.Confidence != evidence.Low })
	var settings []Finding
	for _, f := range found {
		if !f.Spares {
			ordered = append(ordered, f)
			continue
		}
		why := ""
		switch share := format.RoughShare(f.CPU.High); {
		case growth >= 0:
			why = found[growth].Title + ": more room for the heap would only hide it for a while"
		case f.CPU.High*(1-lines.removed) < leastLeft && lines.most > 0:
			why = fmt.Sprintf("%s makes %s of the garbage: once it is changed, there is nothing to save. "+
				"Until then it saves up to %s of the CPU time: %s",
				lines.at, format.RoughShare(lines.most), share, f.Remedy)
		case lines.most >= mostOfGarbage:
			why = fmt.Sprintf("%s makes %s of the garbage: change that first and diagnose again. Until then it saves up to "+
				"%s of the CPU time: %s", lines.at, format.RoughShare(lines.most), share, f.Remedy)
		default:
			settings = append(settings, f)
			continue
		}
		notes = append(notes, fmt.Sprintf("%s is left out, because %s", f.Rule, why))
	}
	for _, f := range settings {
		ordered = slices.Insert(ordered, f.behind(ordered, f.CPU.High*(1-lines.removed)), f)
	}
	return ordered, notes
}

// behind returns the place of a setting among the findings, with the saving that is left for
// it. Collections that it spares are a symptom: it comes after all lines of the program, unless
// it could save more than those that are sure to save something, and twice as much as those
// that are probably at fault.
func (f *Finding) behind(ordered []Finding, left float64) int {
	sure, probable, end := 0.0, 0.0, 0
	for i := range ordered {
		other := &ordered[i]
		if other.OfTest() {
			continue
		}
		switch end = i + 1; {
		case other.Line == 0:
		case other.Confidence != evidence.Low:
			probable = max(probable, other.Ceiling())
		case other.CPU.Low > 0:
			sure = max(sure, other.Ceiling())
		}
	}
	if left <= sure || left <= 2*probable || f.Confidence == evidence.Low && end > 0 {
		return end
	}
	at := slices.IndexFunc(ordered, func(other Finding) bool { return other.OfTest() || other.Ceiling() < left })
	if at < 0 {
		return len(ordered)
	}
	return at
}

// garbage is the share of all allocated bytes that the remedies of findings remove which are
// sure to save something, or whose cause is certain. most is the share of the line at.
type garbage struct {
	removed, most float64
	at            string
}

func garbageOf(found []Finding) (g garbage) {
	for i := range found {
		for _, f := range append([]Finding{found[i]}, found[i].Others...) {
			if f.OfTest() || f.Confidence == evidence.Low || f.CPU.Low <= 0 && f.Confidence != evidence.High {
				continue
			}
			g.removed = min(1, g.removed+f.garbage)
			if f.garbage > g.most {
				g.most, g.at = f.garbage, fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			}
		}
	}
	return g
}
