package rules

import (
	"fmt"
	"go/types"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/release"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var unstoppedTicker = &finding.Rule{
	Name:  "unstopped-ticker",
	Title: "a ticker is made and not stopped, so it fires for ever",
	Doc: `Finds time.NewTicker whose ticker is not stopped on every path, by the source. The runtime keeps such tickers in
modules whose go.mod has a language before Go 1.23, also with a newer toolchain, or with asynctimerchan=1. The profiles
must show the memory of the tickers, or 15% of the CPU time in timers. It is wrong if the goroutine is meant to run as
long as the program.`,
	Remedy:      "defer tick.Stop() right after the ticker is made.",
	Example:     "tick := time.NewTicker(interval)\ndefer tick.Stop()",
	Risk:        "Low.",
	NeedsSource: true,
	Find:        findUnstoppedTickers,
}

// findUnstoppedTickers finds tickers that the runtime keeps because they are not stopped.
func findUnstoppedTickers(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	// Profiles show the cost of all timers together, and not of each ticker.
	var all []finding.Finding
	busy := 0.0
	for _, w := range e.Costs.Work {
		if w.Kind == cost.Timers {
			busy = w.Share
		}
	}

	// Nobody can stop time.Tick, so a function that runs to its end must not call it.
	ticks := e.Releases().MadeBy(func(fn *types.Func) bool { return fn.FullName() == "time.Tick" }, true)
	for _, m := range append(e.Releases().Unreleased(release.Ticker), ticks...) {
		tick := len(m.Methods) == 0 // time.Tick
		switch {
		case m.Start, tick && e.Releases().Endless(m.Function, m.File, m.Line), !tick && len(m.Missed) == 0 && !m.Dropped:
			continue
		}
		reason, keeps := e.Source.KeepsTimers(m.File)
		if !keeps {
			continue
		}

		// The source alone is no reason for a finding: the profiles must show tickers that
		// live, or a high cost of timers.
		f := finding.Finding{File: m.File, Line: m.Line, Function: m.Function, Exact: true, Confidence: evidence.Medium,
			CPU: evidence.Range{Low: busy / 3, High: busy}}
		var growth *evidence.Growth
		live := evidence.Amount{}
		for i := range e.Sites {
			if s := &e.Sites[i]; s.Line == m.Line && e.Source.Local(s.Function, s.File) == m.File {
				f.File, f.Function, f.Path, f.Memory, live, growth = s.File, s.Function, s.Path, s.Memory, s.Live, s.Growth
			}
		}
		f.Source, _ = e.Source.Line(f.File, f.Line)
		if busy < muchWork && live.Bytes == 0 {
			continue
		}
		if busy >= muchWork || growth.Grows() {
			f.Confidence = evidence.High
		}
		how := "the ticker is dropped"
		if tick {
			how = "what time.Tick makes cannot be stopped, so use NewTicker"
		}
		if len(m.Missed) > 0 {
			exit := m.Missed[0].Exit
			how = fmt.Sprintf("%s leaves without Stop", finding.FileAndLine(source.Position{File: exit.File,
				Line: exit.Line}))
			f.Change = &evidence.Frame{Function: exit.Function, File: exit.File, Line: exit.Line}
		}
		f.Remedy = fmt.Sprintf("defer tick.Stop() right after it is made: %s. The runtime keeps a ticker that is not stopped, though nothing refers to it, because %s; from go 1.23 in go.mod on it is collected.", how, reason)
		f.Evidence = []finding.Figure{{Name: "live", Value: live.Bytes, Unit: "bytes"}, {Name: "live", Value: live.Objects, Unit: "objects"}}
		if busy > 0 {
			f.Evidence = append(f.Evidence, finding.Figure{Name: "CPU time of timers", Value: busy, Unit: "fraction"})
		}
		all = append(all, f)
	}
	return all
}
