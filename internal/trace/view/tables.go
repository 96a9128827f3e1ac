package view

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/trace"
)

// table is one table, for text and for the page.
type table struct {
	ID, Title, Note string
	Head            []string
	Numbers         int // columns after the first that are numbers
	Rows            []row
}

// row is one row. A span in nanoseconds can be looked at in the picture.
type row struct {
	Cells    []string
	From, To int64
	Detail   string // the whole name of the row's subject, which pages show
}

// tables returns all tables of a document, in the order in which they are read.
func tables(d *trace.Document) []table {
	return []table{tails(d), lines(d), waiters(d), stopTable(d), waitTable(d), spent(d), cycles(d), pauses(d)}
}

func tails(d *trace.Document) table {
	t := table{ID: "tails", Title: "Tails", Numbers: 9,
		Note: "A burst is a goroutine's work from when it is woken until it waits again; a delay is one stay in the state runnable. " +
			"The collector's share and its causes are summed over all that are at least as long as the quantile.",
		Head: []string{"", "length", "without", "collector", "assist", "sweep", "wait", "queue", "pause", "in tail"}}
	for _, kind := range []struct {
		name string
		of   *trace.Tail
	}{{"bursts", &d.Bursts}, {"delays", &d.Delays}} {
		for _, q := range kind.of.Quantiles {
			p := q.Parts
			t.Rows = append(t.Rows, row{Cells: []string{
				kind.name + " " + quantile(q.Q), ns(q.Length), ns(q.Without), format.Share(q.Share()),
				part(p.Assist), part(p.Sweep), part(p.Wait), part(p.Queue), part(p.Pause),
				format.Count(float64(q.Count)),
			}})
		}
	}
	return t
}

func quantile(q float64) string {
	switch q {
	case 0.999:
		return "p99.9"
	case 1:
		return "max"
	}
	return fmt.Sprintf("p%d", int(q*100))
}

func lines(d *trace.Document) table {
	t := table{ID: "lines", Title: "Lines that pay", Numbers: 5,
		Note: "Allocating at these lines does the collector's work. In tail is their part of the slowest 1% of bursts.",
		Head: []string{"line", "assist", "sweep", "in tail", "assists", "longest"}}
	for i := range d.Lines {
		l := &d.Lines[i]
		at := l.Place
		if l.Own != nil {
			at = *l.Own
		}
		t.Rows = append(t.Rows, row{Detail: full(at), Cells: []string{
			l.Title(), part(l.Assist), part(l.Sweep), part(l.InTail), format.Count(float64(l.Assists)), part(l.Longest),
		}})
	}
	return t
}

func waiters(d *trace.Document) table {
	t := table{ID: "goroutines", Title: "Goroutines that waited for the collector", Numbers: 8,
		Note: "By their first function. Longest is what one burst lost.",
		Head: []string{"goroutine", "lost", "assist", "sweep", "wait", "queue", "pause", "longest", "number"}}
	for _, w := range d.Waiters {
		t.Rows = append(t.Rows, row{Detail: w.Function, Cells: []string{
			profile.ShortName(w.Function), ns(w.Sum()), part(w.Assist), part(w.Sweep), part(w.Wait),
			part(w.Queue), part(w.Pause), part(w.Longest), format.Count(float64(w.Goroutines)),
		}})
	}
	return t
}

func stopTable(d *trace.Document) table {
	t := table{ID: "stops", Title: "Lines that stop the world", Numbers: 5,
		Note: "Stops by the collector and by the tracer are left out. Turns is the time in which goroutines queue to stop the world. " +
			"In tail is the loss of the slowest 1% of bursts, waits included.",
		Head: []string{"line", "stopped", "turns", "in tail", "stops", "longest", "reason"}}
	for _, s := range d.Stops {
		t.Rows = append(t.Rows, row{Detail: full(s.Place), Cells: []string{
			title(s.Place, s.Via), part(s.Time), part(s.Turns), part(s.InTail), format.Count(float64(s.Count)),
			part(s.Longest), s.Reason,
		}})
	}
	return t
}

func waitTable(d *trace.Document) table {
	t := table{ID: "waits", Title: "Lines that wait for others", Numbers: 4,
		Note: "By the line that waits and the line that releases. A wait behind a queue counts for each holder in turn. " +
			"Idle waits are left out. In tail is the part of the slowest 1% of bursts, waits included.",
		Head: []string{"line", "waits", "in tail", "times", "longest", "for", "held by"}}
	for _, w := range d.Waits {
		t.Rows = append(t.Rows, row{Detail: full(w.At), Cells: []string{
			title(w.At, w.Via), part(w.Time), part(w.InTail), format.Count(float64(w.Count)), part(w.Longest), string(w.Kind),
			title(w.By, w.ByVia),
		}})
	}
	return t
}

// full writes a place with the whole path.
func full(p trace.Place) string { return fmt.Sprintf("%s %s:%d", p.Function, p.File, p.Line) }

// names are the classes for people.
var names = map[trace.Class]string{
	trace.Own: "own code", trace.Assist: "mark assist", trace.Dedicated: "mark worker, dedicated",
	trace.Fractional: "mark worker, fractional", trace.Idle: "mark worker, idle", trace.Sweep: "sweep",
	trace.Paused: "stopped by the collector", trace.Stopped: "stopped otherwise",
}

func spent(d *trace.Document) table {
	t := table{ID: "cpu", Title: "Processor time", Numbers: 2,
		Note: "Of the time that processors had. The rest they were idle, or in system calls.",
		Head: []string{"class", "time", "of all"}}
	all := float64(d.Duration) * float64(d.Procs)
	for _, class := range trace.Classes {
		of := format.Unknown
		if all > 0 {
			of = format.Share(float64(d.CPU[class]) / all)
		}
		t.Rows = append(t.Rows, row{Cells: []string{names[class], part(d.CPU[class]), of}})
	}
	return t
}

func cycles(d *trace.Document) table {
	t := table{ID: "cycles", Title: "Collections, the one with most assist first", Numbers: 9,
		Head: []string{"at", "length", "sweep term.", "mark term.", "workers", "idle", "assist",
			"assists", "heap", "goal"}}
	all := slices.Clone(d.Cycles)
	slices.SortStableFunc(all, func(a, b trace.Cycle) int { return cmp.Compare(b.Assist, a.Assist) })
	for _, c := range all {
		t.Rows = append(t.Rows, row{From: c.Start, To: c.Start + c.Duration, Cells: []string{
			ns(c.Start), ns(c.Duration), part(c.SweepTerm), part(c.MarkTerm), part(c.Dedicated + c.Fractional),
			part(c.Idle), part(c.Assist), format.Count(float64(c.Assists)), format.Bytes(float64(c.HeapStart)) + " → " +
				format.Bytes(float64(c.HeapEnd)), format.Bytes(float64(c.HeapGoal)),
		}})
	}
	return t
}

func pauses(d *trace.Document) table {
	t := table{ID: "pauses", Title: "Stop-the-world pauses, the longest first", Numbers: 2,
		Head: []string{"reason", "length", "at", "by"}}
	all := slices.Clone(d.Pauses)
	slices.SortStableFunc(all, func(a, b trace.Pause) int { return cmp.Compare(b.Duration, a.Duration) })
	for _, p := range all {
		by := ""
		if p.At != nil {
			by = p.At.String()
		}
		t.Rows = append(t.Rows, row{From: p.Start, To: p.Start + p.Duration,
			Cells: []string{p.Reason, ns(p.Duration), ns(p.Start), by}})
	}
	return t
}
