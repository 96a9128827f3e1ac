package main

import (
	"fmt"
	"io"
	"os"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/format"
)

// measurement is all that the page shows.
type measurement struct {
	profiles   int
	packed     int64 // the bytes of the profiles as their program wrote them
	append     contents
	sum, pprof process
	fill       contents
	ask        answers
}

// contents is a store that was filled. The values are the profiles alone.
type contents struct {
	process
	Disk, Values int64
	Entries      int
}

// process holds the cost of a process that has ended.
type process struct {
	Samples int
	cpu     float64 // seconds
	rss     float64 // bytes at the peak
}

func (p *process) ended(state *os.ProcessState) {
	p.cpu, p.rss = program.CPU(state), program.PeakRSS(state)
}

// answers has the duration of queries in seconds.
type answers struct {
	process
	First float64
	Times map[string]float64
}

func percent(part, whole int64) string {
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

func (m *measurement) write(w io.Writer) error {
	about := fmt.Sprintf(`%d heap profiles of a generated program with 1,600 functions, of up to %s samples each and %s
compressed, are kept as one process's, one every 15 s. Every profile has stacks that were not there before.

**The store takes %s of the profiles' compressed size. Adding all of them up takes %.0f times less CPU than
go tool pprof, in %.0f times less memory.** %s.
`, m.profiles, format.Count(float64(m.sum.Samples)), format.Bytes(float64(m.packed)/float64(m.profiles)),
		percent(m.append.Disk, m.packed), m.pprof.cpu/m.sum.cpu, m.pprof.rss/m.sum.rss, page.Platform())
	each := func(bytes int64) string { return format.Bytes(float64(bytes) / float64(m.profiles)) }
	out := page.Head("serve", "serve.md", "The store of serve", about) + "\n" +
		page.Columns("on disk", "a profile:", "of its compressed size:") +
		page.Row("compressed, as its program wrote it", each(m.packed), "100%") +
		page.Row("in the store: its values", each(m.append.Values), percent(m.append.Values, m.packed)) +
		page.Row("in the store: everything", each(m.append.Disk), percent(m.append.Disk, m.packed)) +
		fmt.Sprintf("\nKeeping a profile takes %s of CPU time, with its sync.\n\n",
			format.Seconds(m.append.cpu/float64(m.profiles))) +
		page.Columns(fmt.Sprintf("adding %d profiles up", m.profiles), "CPU:", "peak RSS:") +
		page.Row("go tool pprof -proto, of the files", format.Seconds(m.pprof.cpu), format.Bytes(m.pprof.rss)) +
		page.Row("the store, in a new process", format.Seconds(m.sum.cpu), format.Bytes(m.sum.rss)) +
		fmt.Sprintf("\nThen the last profile fills a day, as %d of one process.\n\n", m.fill.Entries) +
		page.Columns("query", "time:")
	for _, q := range questions {
		out += page.Row(q.name, format.Seconds(m.ask.Times[q.name]))
	}
	out += fmt.Sprintf("\nMedians of a running server. The first query, which reads the dictionary, takes %s.\n",
		format.Seconds(m.ask.First))
	_, err := io.WriteString(w, out)
	return err
}
