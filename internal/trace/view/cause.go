package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/trace"
)

const (
	// large is the share of the slow bursts' time from which on a cause comes first.
	large = 0.15
	// worth is the loss of one slow burst, in nanoseconds, below which a cause is too small
	// to mend, however large its share is.
	worth = 100_000
)

// cause is a reason for slow bursts other than the collector. share is relative to the
// time of the slowest 1% of joined bursts.
type cause struct {
	share float64
	text  []string
}

// causes returns the large causes, the largest first.
func causes(d *trace.Document) []cause {
	tail := d.Joined.At(0.99)
	if d.Joined.Count < enough || tail.Total == 0 {
		return nil
	}
	var all []cause
	add := func(lost int64, text func(share string) []string) {
		share := float64(lost) / float64(tail.Total)
		if share >= large && lost >= worth*tail.Count {
			part := format.Share(share) + " of the time of the slowest 1% of bursts, waits included"
			all = append(all, cause{share, text(part)})
		}
	}
	for _, s := range d.Stops {
		add(s.InTail, func(share string) []string { return stops(d, &s, share) })
	}
	for _, kind := range kinds {
		var lost int64
		var of []trace.Wait
		for _, w := range d.Waits {
			if w.Kind == kind.of {
				lost += w.InTail
				of = append(of, w)
			}
		}
		add(lost, func(share string) []string { return kind.waits(of, share) })
	}
	slices.SortStableFunc(all, func(a, b cause) int { return cmp.Compare(b.share, a.share) })
	// Whoever holds something while it has no processor makes others wait for it: their waits
	// say more than its own.
	add(d.Ready.InTail, func(share string) []string {
		return processors(d, share)
	})
	return all
}

// processors explains the time in which goroutines could run and had no processor.
func processors(d *trace.Document, share string) []string {
	text := fmt.Sprintf("Waiting for a free processor takes %s: goroutines that were ready to run waited for %s in total, "+
		"with GOMAXPROCS=%d.", share, ns(d.Ready.Time), d.Procs)
	if len(d.Ready.Runners) > 0 {
		r := d.Ready.Runners[0]
		text += fmt.Sprintf(" Meanwhile %s ran most, for %s.", title(r.Place, r.Via), ns(r.Time))
	}
	return []string{text, "If the machine has more processors, raise GOMAXPROCS: the environment, a call of " +
		"runtime.GOMAXPROCS or the CPU limit of the container sets it. Otherwise do less at a time in the lines " +
		"that run meanwhile, or make their work cheaper."}
}

// stops explains the stops of the world at a line.
func stops(d *trace.Document, s *trace.Stop, share string) []string {
	who := title(s.Place, s.Via)
	if s.File == "" {
		who = "The runtime itself"
	}
	text := fmt.Sprintf("%s stops the world: %s (%s) are %s", who, count(s.Count, "stop"), s.Reason, share)
	if all := float64(d.Duration); all > 0 {
		text += fmt.Sprintf(", and hold all goroutines up for %s of the trace", format.Share(float64(s.Time)/all))
	}
	if s.Turns > s.Time/10 {
		text += fmt.Sprintf(". Goroutines that call it at the same time queue for their turn, for %s in total", ns(s.Turns))
	}
	return []string{text + ".", remedy(s)}
}

// remedies are for the reasons of stops that the runtime names (runtime/proc.go).
var remedies = map[string]string{
	"read mem stats": "runtime.ReadMemStats stops all goroutines at each call. Read the same figures with runtime/metrics.Read, " +
		"which does not stop them, or read them once every few seconds instead of in each request.",
	"goroutine profile": "A goroutine profile stops all goroutines, for longer the more there are. Take it less often, and not in requests. " +
		"runtime.NumGoroutine counts goroutines without a stop.",
	"all goroutines stack trace": "runtime.Stack with all=true stops all goroutines until their stacks are printed. Pass false for the stack " +
		"of the calling goroutine, or call it less often.",
	"write heap dump": "debug.WriteHeapDump stops all goroutines until the whole heap is written. Take a heap profile instead " +
		"(pprof.WriteHeapProfile), which does not stop them meanwhile.",
	"AllThreadsSyscall": "A system call for all threads, such as syscall.Setuid, stops them all. Make it once, when the program starts.",
	"GOMAXPROCS": "Changing GOMAXPROCS stops all goroutines. Set it once, when the program starts, or leave it to the runtime. " +
		"runtime.GOMAXPROCS(0) reads it without a stop.",
}

// remedy says how to do without the stops of a line.
func remedy(s *trace.Stop) string {
	switch text, known := remedies[s.Reason]; {
	case strings.HasPrefix(s.Function, "net/http/pprof."):
		return "Somebody asks this service for profiles. Ask less often, or not for goroutine profiles."
	case known:
		return text
	}
	return "Call it less often, and not in requests."
}

// kind has the words for one kind of waits.
type kind struct {
	of trace.WaitKind
	// name is the subject, and ends is the event that ends the wait. slow is the advice on
	// a slow operation of the holder, and remedy is the advice in any case.
	name, ends, slow, remedy string
}

var kinds = []kind{
	{trace.LockWait, "Waiting for locks", "unlocks", "do this outside of the lock",
		"Hold the lock for a shorter time: copy the data under the lock, unlock, and do the slow work " +
			"(encoding, logging, files, network) outside of it. Or split the lock, such as one for each shard of the keys."},
	{trace.PoolWait, "Waiting for a free connection or permit", "returns one", "make this shorter",
		"Hold a connection for a shorter time: read the rows, close them, and do the other work afterwards. " +
			"Or allow more of them (DB.SetMaxOpenConns, the size of the semaphore), as far as the other side can take them."},
	{trace.ChannelWait, "Waiting for a channel", "sends or receives", "make this shorter",
		"Requests queue for something that others hold, or for a goroutine that has other work: " +
			"hold it for a shorter time, " +
			"allow more at a time, or do less before the answer."},
	{trace.ConditionWait, "Waiting for a condition (sync.Cond)", "signals", "make this shorter",
		"Requests queue for something that others hold: hold it for a shorter time, or have more of it."},
	{trace.GroupWait, "Waiting for a group (sync.WaitGroup, singleflight)", "is done", "make this shorter",
		"Requests wait for work that another request began before: make this work shorter, or divide it by key."},
}

// doing has the words for a reason to leave the processor.
var doing = map[string]string{
	"system call": "in system calls", "network": "on the network", "sleep": "asleep", "select": "waiting in a select",
	"chan send": "waiting for a channel", "chan receive": "waiting for a channel",
	"sync": "waiting for other goroutines", "sync.(*Cond).Wait": "waiting for a condition",
}

// waits explains the waits of one kind.
func (k kind) waits(all []trace.Wait, share string) []string {
	waiters := largest(all, func(w *trace.Wait) string { return title(w.At, w.Via) })
	holders := largest(all, func(w *trace.Wait) string { return title(w.By, w.ByVia) })
	text := fmt.Sprintf("%s takes %s. %s waits most", k.name, share, waiters[0].title)
	others := int64(0)
	for _, w := range waiters[1:] {
		if w.lost > w.all/20 {
			others++
		}
	}
	if others > 0 {
		text += ", before " + count(others, "other line")
	}
	until := holders[0].title
	if len(holders) > 1 && holders[1].lost > holders[0].lost/4 {
		until += " or " + holders[1].title
	}
	text += fmt.Sprintf(", until %s %s.", until, k.ends)
	return []string{text, k.meanwhile(holders[0])}
}

// meanwhile says where the main holder spends the time for which others wait, and the remedy.
func (k kind) meanwhile(h sum) string {
	var top, computes trace.Away
	for _, a := range h.away {
		switch {
		case a.Doing == "preempted" || a.Doing == "runtime.Gosched":
			if a.Time > computes.Time {
				computes = a
			}
		case a.Time > top.Time:
			top = a
		}
	}
	switch {
	case top.Time > h.time/3:
		return fmt.Sprintf("Meanwhile the holder spends %s of the time %s at %s: %s. %s",
			format.Share(float64(top.Time)/float64(h.time)), cmp.Or(doing[top.Doing], "off the processor"),
			title(top.Place, top.Via), k.slow, k.remedy)
	case computes.Time > 0:
		at := title(computes.Place, computes.Via)
		return fmt.Sprintf("Meanwhile the holder computes, such as at %s. %s", at, k.remedy)
	}
	return k.remedy
}

// sum adds up the waits of one title: lost is their time in the tail, all is the time of
// all titles there, and time is their time in the trace.
type sum struct {
	title           string
	lost, all, time int64
	away            []trace.Away
}

// largest adds up waits by title, and returns the sums in the order of their part of the tail.
func largest(waits []trace.Wait, titled func(*trace.Wait) string) (sums []sum) {
	numbers := map[string]int{}
	var all int64
	for i := range waits {
		w := &waits[i]
		t := titled(w)
		n, ok := numbers[t]
		if !ok {
			n = len(sums)
			numbers[t] = n
			sums = append(sums, sum{title: t})
		}
		all += w.InTail
		sums[n].lost += w.InTail
		sums[n].time += w.Time
		sums[n].away = append(sums[n].away, w.Away...)
	}
	for i := range sums {
		sums[i].all = all
		sums[i].away = merged(sums[i].away)
	}
	slices.SortStableFunc(sums, func(a, b sum) int { return cmp.Compare(b.lost, a.lost) })
	return sums
}

// merged adds up absences at the same line.
func merged(all []trace.Away) (out []trace.Away) {
	numbers := map[trace.Away]int{}
	for _, a := range all {
		time := a.Time
		a.Time = 0
		n, ok := numbers[a]
		if !ok {
			n = len(out)
			numbers[a] = n
			out = append(out, a)
		}
		out[n].Time += time
	}
	return out
}

// title names a line and the library's function that it calls.
func title(p trace.Place, via string) string {
	if via == "" {
		return p.String()
	}
	return p.String() + " (in " + profile.ShortName(via) + ")"
}

// stuck names the line at which most goroutines wait for half of the trace or longer. Their
// bursts have no end, so no tail shows them.
func stuck(d *trace.Document) []string {
	var most *trace.Stuck
	for i := range d.Stuck {
		s := &d.Stuck[i]
		if s.Longest >= d.Duration/2 && s.Goroutines > 1 && (most == nil || s.Goroutines > most.Goroutines) {
			most = s
		}
	}
	if most == nil {
		return nil
	}
	what := "a lock"
	if most.Kind == trace.PoolWait {
		what = "a free connection or permit"
	}
	return []string{fmt.Sprintf("%s still wait for %s at %s when the trace ends, the longest for %s of %s. "+
		"The goroutine that holds it is at one of the other lines of goroutine?debug=2: look for a call without a timeout under the lock, "+
		"or a return without an unlock or a close. If it is only slow, a longer trace shows who ends the waits.",
		count(most.Goroutines, "goroutine"), what, title(most.At, most.Via), ns(most.Longest), ns(d.Duration))}
}
