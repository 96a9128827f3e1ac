package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var runtimeWork = &finding.Rule{
	Name:  "runtime-work",
	Title: "the runtime works for the program, not the program itself",
	Doc: `Finds CPU time that is neither the program's own nor spent on memory: growing stacks, timers, channels, locks, system
calls on files, calls into C, finalizers, stack traces, panics. It names the functions of the runtime and the line of the
program that they work for. A server's network calls and the scheduler's time are shown in the table of CPU time, but are
no finding. It is wrong if that work is the program's purpose.`,
	Remedy:  "Do the operations that cause this work less often.",
	Example: "go tool pprof -peek 'runtime.newstack' cpu.pb.gz",
	Risk:    "Low.",
	Find:    findRuntimeWork,
}

// advice is the remedy for one kind of the runtime's work.
type advice struct {
	least                 float64        // share of CPU time from which on it is a finding
	saves                 evidence.Range // share of it that the remedy saves
	remedy, example, risk string
	place                 func(*evidence.Evidence, *evidence.Work, *finding.Finding) bool // false: it is no finding here; nil is the line with most of it
}

var advices = map[cost.Work]advice{
	cost.StackGrowth: {
		least: muchWork, saves: evidence.Range{Low: 0.5, High: 0.95}, place: whereStarted,
		remedy:  "Each new goroutine begins with a small stack, and deep calls or large local arrays double it again and again. Let long-lived workers take the work from a channel: their stacks have grown already. Or let the functions need less stack: smaller local arrays, a loop instead of recursion.",
		example: "jobs := make(chan job)\nfor range runtime.GOMAXPROCS(0) {\n\tgo func() {\n\t\tfor j := range jobs {\n\t\t\tdo(j)\n\t\t}\n\t}()\n}",
		risk:    "Workers bound how much is done at a time.",
	},
	cost.Starting: {
		least: muchWork, saves: evidence.Range{Low: 0.3, High: 0.9}, place: whereStarted,
		remedy:  "Let long-lived workers take the work from a channel, or start one goroutine for many items.",
		example: "jobs := make(chan job)\nfor range runtime.GOMAXPROCS(0) {\n\tgo worker(jobs)\n}",
		risk:    "Workers bound how much is done at a time.",
	},
	cost.Timers: {
		least: muchWork, saves: evidence.Range{Low: 0.3, High: 0.95}, place: whereTimersAreMade,
		remedy:  "Use fewer timers, or let them fire less often: one ticker whose loop handles everything that is due, a longer interval, or Stop when nobody waits any more. Tickers that are never stopped fire for ever.",
		example: "tick := time.NewTicker(interval)\ndefer tick.Stop()\nfor range tick.C {\n\tfor _, d := range devices {\n\t\td.poll()\n\t}\n}",
		risk:    "Everything that one timer serves waits for the slowest.",
	},
	cost.Channels: {
		least: muchWaiting, saves: evidence.Range{Low: 0.2, High: 0.8}, place: whereItSpins,
		remedy:  "Send fewer and larger messages: a slice of items instead of one, over a channel with a buffer. Where many goroutines meet at one channel, give each its own, or let the sender do the work itself.",
		example: "batch := make([]item, 0, 100)\n// fill it, then\nout <- batch",
		risk:    "An item waits for its batch to fill: flush it by time as well.",
	},
	cost.Locks: {
		least: muchWaiting, saves: evidence.Range{Low: 0.2, High: 0.8},
		remedy: "Hold the lock for less time and take it less often: compute before locking, update once for " +
			"many items, split the data into shards with a lock each, or use an atomic.",
		example: "s := &shards[hash(key)%uint64(len(shards))]\ns.mu.Lock()\ns.m[key] = v\ns.mu.Unlock()",
		risk:    "Shards make operations on all entries harder.",
	},
	cost.SystemCalls: {
		least: muchWaiting, saves: evidence.Range{Low: 0.2, High: 0.9}, place: onFiles,
		remedy: "Make fewer and larger calls: read and write files through a bufio.Reader or bufio.Writer, " +
			"and keep what a call returned where it does not change.",
		example: "w := bufio.NewWriterSize(f, 64<<10)\ndefer w.Flush()",
		risk:    "Buffered bytes are lost if the program dies before Flush.",
	},
	cost.Cgo: {
		least: muchWaiting, saves: evidence.Range{Low: 0, High: 0.8},
		remedy: "Each call into C costs about as much as a hundred calls in Go. Call it once for many items: " +
			"pass an array. If the time is spent in the C code itself, profile that with perf.",
		example: "C.scale((*C.double)(&values[0]), C.int(len(values))) // not once for each value",
		risk:    "Low.",
	},
	cost.Finalizers: {
		least: muchWork, saves: evidence.Range{Low: 0.3, High: 0.95},
		remedy: "Release resources where their use ends, with a Close method, instead of in finalizers and " +
			"cleanups; one goroutine runs all of them, after a collection.",
		example: "defer h.Close()",
		risk:    "Whoever forgets Close leaks.",
	},
	cost.StackWalks: {
		least: muchWork, saves: evidence.Range{Low: 0.3, High: 0.95}, place: frameByFrame,
		remedy: "Take stack traces only where somebody reads them: leave the caller out of log lines, and " +
			"make errors with stacks only where they are reported.",
		example: "logger := slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{AddSource: false}))",
		risk:    "Logs say less about where they come from.",
	},
	cost.Panics: {
		least: muchWork, saves: evidence.Range{Low: 0.3, High: 0.95},
		remedy:  "Return an error instead of panicking and recovering: each panic walks the stack.",
		example: "if !ok {\n\treturn nil, errNotFound\n}",
		risk:    "Low.",
	},
}

const (
	// muchWork is the share of CPU time from which on work that a program rarely wants is
	// a finding, muchWaiting the one for work that many healthy programs do.
	muchWork, muchWaiting = 0.15, 0.25
)

// fewWorkSamples is the least number of samples of a work: below, an idle program's
// few samples make large shares of nothing.
const fewWorkSamples = 25

func findRuntimeWork(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	var all []finding.Finding
	for i := range e.Costs.Work {
		w := &e.Costs.Work[i]
		a, known := advices[w.Kind]
		if !known || w.Share < a.least || w.Samples < fewWorkSamples {
			continue
		}
		f := finding.Finding{CPU: evidence.Range{Low: w.Share * a.saves.Low, High: w.Share * a.saves.High}, Confidence: evidence.Medium, Exact: true,
			Remedy: a.remedy, Example: a.example, Risk: a.risk}
		f.Title = fmt.Sprintf("%s: %s of the CPU time", w.Kind, format.RoughShare(w.Share))
		f.Evidence = []finding.Figure{{Name: "CPU time in " + strings.Join(w.Functions, ", "), Value: w.Share, Unit: "fraction"}}
		if len(w.Places) > 0 {
			p := &w.Places[0]
			moveTo(&f, e, p.Frame)
			f.Path = p.Path
			f.Evidence = append(f.Evidence, finding.Figure{Name: "below " + lineOf(p.Frame), Value: p.Share, Unit: "fraction"})
		}
		if a.place != nil && !a.place(e, w, &f) {
			continue
		}
		all = append(all, f)
	}
	return all
}

func lineOf(f evidence.Frame) string {
	return finding.FileAndLine(source.Position{File: f.File, Line: f.Line})
}

// moveTo moves a finding to a line.
func moveTo(f *finding.Finding, e *evidence.Evidence, at evidence.Frame) {
	f.File, f.Line, f.Function = at.File, at.Line, at.Function
	f.Source, _ = e.Source.Line(at.File, at.Line)
}

// whereStarted moves a finding about goroutines to the go statement that starts them.
func whereStarted(e *evidence.Evidence, w *evidence.Work, f *finding.Finding) bool {
	if !e.Owns(w.Root) {
		return true
	}
	if started, ok := e.Source.Starts(w.Root.Function, w.Root.Line); ok {
		if len(w.Places) > 0 {
			f.Remedy = fmt.Sprintf("%s (%s) needs the stack. %s", profile.ShortName(w.Places[0].Function),
				lineOf(w.Places[0].Frame), f.Remedy)
		}
		moveTo(f, e, evidence.Frame{Function: started.In(), File: started.File, Line: started.Line})
	}
	return true
}

// frameByFrame adapts the text to a loop that asks for one frame of the stack at a time.
func frameByFrame(e *evidence.Evidence, _ *evidence.Work, f *finding.Finding) bool {
	for _, a := range e.Source.Within(f.File, f.Line) {
		if a.Line != f.Line || a.Callee != "runtime.Caller" || !a.InLoop {
			continue
		}
		f.Remedy = "Each runtime.Caller walks the stack from its top again, and looks up a file and a function. " +
			"Let one runtime.Callers return the program counters of all frames, and look them up with " +
			"runtime.CallersFrames only when the trace is printed. Where most errors are only counted or " +
			"compared, make them once, without a trace."
		f.Example = "var pcs [32]uintptr\nn := runtime.Callers(2, pcs[:]) // one walk\n…\nframes := runtime.CallersFrames(pcs[:n]) // only to print them"
	}
	return true
}

// spinning is the share of the CPU time in channel operations at one line, above which that
// line does not wait.
const spinning = 0.5

// whereItSpins adapts the text to a select or receive that is always ready.
func whereItSpins(e *evidence.Evidence, w *evidence.Work, f *finding.Finding) bool {
	sends := strings.Contains(f.Source, "<- ") && !strings.Contains(f.Source, "= <-")
	if len(w.Places) == 0 || w.Places[0].Share < spinning || sends {
		return true
	}
	share := format.RoughShare(w.Places[0].Share)
	f.Title = fmt.Sprintf("a loop around a channel that is always ready: %s of the CPU time", share)
	f.Remedy = "A select or receive with so much CPU time does not wait: something is ready in every iteration. " +
		"A closed channel gives its zero value for ever: set its variable to nil, or leave the loop. " +
		"A default case does not block: remove it. If messages really come so fast, send a slice of " +
		"items instead of one."
	f.Example = "case err, ok := <-setup:\n\tif !ok {\n\t\tsetup = nil // never ready again\n\t}"
	f.Risk = "Low."
	return true
}

// timerMakers are the functions that make timers.
var timerMakers = []string{"time.NewTicker", "time.NewTimer", "time.AfterFunc", "time.After", "time.Tick", "context.WithTimeout", "context.WithDeadline"}

// whereTimersAreMade places a finding about timers at the line that made most of them,
// or the only one of the source that does.
func whereTimersAreMade(e *evidence.Evidence, _ *evidence.Work, f *finding.Finding) bool {
	var best *evidence.Site
	for i := range e.Sites {
		s := &e.Sites[i]
		makes := slices.ContainsFunc(s.Below, func(c evidence.Callee) bool { return slices.Contains(timerMakers, c.Function) })
		if makes && s.Own && (best == nil || s.Live.Objects > best.Live.Objects) {
			best = s
		}
	}
	if best != nil {
		moveTo(f, e, best.Frame)
		f.Path = best.Path
		return true
	}
	if calls := e.Source.Calls(timerMakers...); len(calls) == 1 {
		moveTo(f, e, evidence.Frame{Function: calls[0].In(), File: calls[0].File, Line: calls[0].Line})
	}
	return true
}

// onFiles reports whether a line's system calls are on files. Those on connections
// are a server's work.
func onFiles(e *evidence.Evidence, w *evidence.Work, _ *finding.Finding) bool {
	if len(w.Places) == 0 || w.Places[0].Share < muchWaiting {
		return false
	}
	onFile := false
	for _, f := range w.Places[0].Path {
		if e.Owns(f) {
			break
		}
		if strings.HasPrefix(f.Function, "net.") || strings.HasPrefix(f.Function, "net/") {
			return false
		}
		onFile = onFile || strings.HasPrefix(f.Function, "os.")
	}
	return onFile
}
