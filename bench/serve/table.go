package main

import (
	_ "embed"
	"os"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// measurement is all that the page shows.
type measurement struct {
	Profiles     int
	Packed       int64 // the bytes of the profiles as their program wrote them
	Append, Fill contents
	Sum, Pprof   process
	Ask          answers
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
	CPU     float64 `json:"-"` // seconds
	RSS     float64 `json:"-"` // bytes at the peak
}

func (p *process) ended(state *os.ProcessState) {
	p.CPU, p.RSS = program.CPU(state), program.PeakRSS(state)
}

// answers has the duration of queries in seconds.
type answers struct {
	process
	First float64
	Times []answer
}

type answer struct {
	Query string
	Took  float64
}

//go:embed page.tmpl
var text string

func (m *measurement) page() string {
	return page.Head("serve", "serve.md", "The store of serve", page.Fill(text, m))
}
