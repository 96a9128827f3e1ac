package main

import (
	"fmt"
	"io"

	"github.com/heapwright/heapwright/bench/arena/work"
	"github.com/heapwright/heapwright/bench/internal/page"
)

// A floor is the cost of a part of a work that no arena can avoid. It is compared
// with the heap and the floor of the work beside.
type floor struct{ title, work, contestant, beside string }

var floors = []floor{
	{"1,000 × 64 B: written, never cleared", work.Small, work.Floor, work.Small},
	{"`clear` of 64,000 B, and nothing else", work.SmallClear, work.Floor, work.Small},
	{"written, all cleared after the round", work.Small, work.Cleared, work.Small},
	{"each cleared just before it is written", work.Small, work.ClearedEach, work.Small},
	{"first use: tree, one allocation of its size", work.FirstTree, work.Floor, work.FirstTree},
	{"first use: 1,000 × 64 B, one allocation", work.FirstSmall, work.Floor, work.FirstSmall},
	{"first use: 1,000 of 5 types, one allocation", work.FirstMixed, work.Floor, work.FirstMixed},
}

// printFloors prints the lower bounds of the arena's figures.
func printFloors(w io.Writer, version string, cells []*cell) {
	of := byContestant(version, cells)
	rows := ""
	for _, f := range floors {
		c, heap, base := of[[2]string{f.work, f.contestant}], of[[2]string{f.beside, work.Heap}], of[[2]string{f.beside, work.Floor}]
		if c == nil || heap == nil || base == nil {
			continue
		}
		rows += page.Row(f.title, duration(c.perOp()),
			fmt.Sprintf("%.3g", c.perOp()/heap.perOp()), fmt.Sprintf("%.2f", c.perOp()/base.perOp()))
	}
	if rows != "" {
		columns := page.Columns("floor", "CPU", "× heap", "× the work's floor")
		fmt.Fprintf(w, "\nFloors, %s:\n\n%s%s", version, columns, rows)
	}
}
