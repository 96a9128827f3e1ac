// Package view shows a trace's document as text, JSON and a page.
package view

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/trace"
)

const (
	columns = 100 // the width of the text
	most    = 10  // rows of a table; the rest is in the JSON and HTML
	enough  = 100 // lengths, of which the p99 is more than the longest
)

// JSON writes the document itself: the contract for programs.
func JSON(w io.Writer, d *trace.Document) error { return termtext.JSON(w, d) }

// Text writes the document for people: plain text.
func Text(w io.Writer, d *trace.Document) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n", subject(d))
	for _, s := range Answer(d) {
		for _, l := range termtext.Wrap(s, columns) {
			fmt.Fprintln(b, l)
		}
	}
	for _, t := range tables(d) {
		if len(t.Rows) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s\n", strings.ToUpper(t.Title))
		tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		line(tw, t.Head)
		for _, row := range t.Rows[:min(len(t.Rows), most)] {
			line(tw, row.Cells)
		}
		tw.Flush()
		if n := len(t.Rows) - most; n > 0 {
			fmt.Fprintf(b, "  … and %d more in the JSON and HTML\n", n)
		}
	}
	if len(d.Warnings) > 0 {
		fmt.Fprintf(b, "\nDOUBTS\n")
	}
	for _, s := range d.Warnings {
		for i, l := range termtext.Wrap(s, columns-4) {
			fmt.Fprintf(b, "  %s %s\n", map[bool]string{true: "·", false: " "}[i == 0], l)
		}
	}
	return b.Flush()
}

func line(w io.Writer, cells []string) { fmt.Fprintf(w, "  %s\n", strings.Join(cells, "\t")) }

// subject names the program of the figures.
func subject(d *trace.Document) string {
	return fmt.Sprintf("%s: %s on %s, %s", d.Source, ns(d.Duration), count(int64(d.Procs), "processor"),
		count(int64(len(d.Cycles)), "collection"))
}

// Answer sums the trace up in a few sentences. A large cause of slow bursts comes first,
// unless the collector is a larger one.
func Answer(d *trace.Document) (all []string) {
	all = stuck(d)
	collector := ofCollector(d)
	share := d.Joined.At(0.99)
	rest := causes(d)
	for len(rest) > 0 && rest[0].share > share.Share() {
		all = append(all, rest[0].text...)
		rest = rest[1:]
	}
	all = append(all, collector...)
	for _, c := range rest {
		all = append(all, c.text...)
	}
	return all
}

// ofCollector sums the collector's part up.
func ofCollector(d *trace.Document) (all []string) {
	if len(d.Cycles) == 0 {
		return []string{"No collection ran in these " + ns(d.Duration) + ", so the trace does not show what the collector costs. Record for longer: heapwright trace -duration 30s URL, or more of the program's work before trace.Stop."}
	}
	for _, of := range []struct {
		name string
		tail *trace.Tail
	}{{"bursts", &d.Bursts}, {"delays", &d.Delays}} {
		if p99 := of.tail.At(0.99); of.tail.Count >= enough {
			all = append(all, fmt.Sprintf("The collector causes %s of the time of the slowest 1%% of %s: p99 is %s, and would be %s without it.",
				format.Share(p99.Share()), of.name, ns(p99.Length), ns(p99.Without)))
			break
		}
	}
	all = append(all, fmt.Sprintf("It takes %s of the CPU time that the program uses, and the longest of %s is %s.",
		format.Share(share(d)), count(int64(gcPauses(d)), "pause"), ns(longestPause(d))))
	if len(d.Lines) > 0 {
		l := d.Lines[0]
		by := "in " + count(l.Assists, "assist")
		if l.Assists == 0 {
			by = "by sweeping"
		}
		all = append(all, fmt.Sprintf("%s pays most: %s %s.", l.Title(), ns(l.Assist+l.Sweep), by))
	}
	return append(all, advice(d)...)
}

// busy is the collector's share of the processors' time from which on collecting less
// often is worth a word.
const busy = 0.1

// advice says what makes the collector's delays rarer.
func advice(d *trace.Document) []string {
	// Whoever forces a collection waits until it ends, also where it costs little CPU time.
	p99 := d.Bursts.At(0.99)
	slow := d.Bursts.Count >= enough && p99.Share() >= large && p99.Parts.Sum() >= worth*p99.Count
	if share(d) < busy && !slow {
		return nil
	}
	if n, at := d.Forced(); at != nil && 2*n > len(d.Cycles) {
		return []string{fmt.Sprintf(
			"%d of %d collections are forced by a call of runtime.GC or debug.FreeOSMemory at %s: remove the call. "+
				"GOGC, a heap floor and allocating less do not change forced collections.", n, len(d.Cycles), at)}
	}
	if share(d) < busy {
		return nil
	}
	if growth, ok := d.Cramped(); ok {
		return []string{fmt.Sprintf(
			"Half of the collections begin when the heap has grown by %s at most since the last one: "+
				"a memory limit (GOMEMLIMIT) near the live heap drives them, or a very low GOGC. Raise the limit, or hold less. "+
				"A larger GOGC and a heap floor do not help below a limit that is reached.", format.Share(growth))}
	}
	text := "Collect less often: a larger GOGC or a heap floor, with a memory limit above it (heapwright tune finds which pays)"
	if len(d.Lines) > 0 && d.Lines[0].Assists > 0 {
		text += ". Assists make whoever allocates mark, in proportion to the bytes: allocate less in the lines that pay"
	}
	return []string{text + "."}
}

// share is the collector's part of the time in which processors worked.
func share(d *trace.Document) float64 {
	var all int64
	for _, v := range d.CPU {
		all += v
	}
	if all == 0 {
		return 0
	}
	return 1 - float64(d.CPU[trace.Own]+d.CPU[trace.Stopped])/float64(all)
}

func gcPauses(d *trace.Document) (n int) {
	for _, p := range d.Pauses {
		if p.GC {
			n++
		}
	}
	return n
}

func longestPause(d *trace.Document) (longest int64) {
	for _, p := range d.Pauses {
		if p.GC {
			longest = max(longest, p.Duration)
		}
	}
	return longest
}

func ns(v int64) string { return format.Seconds(float64(v) / 1e9) }

// part writes a time that may be nothing.
func part(v int64) string {
	if v == 0 {
		return format.Unknown
	}
	return ns(v)
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return format.Count(float64(n)) + " " + what + "s"
}
