package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// column is one figure of a table.
type column struct {
	head string
	cell func(outcome) string
}

var columns = []column{
	{"OOM kills", func(o outcome) string { return fmt.Sprint(o.Kills) }},
	{"GC CPU", func(o outcome) string { return fmt.Sprintf("%.1f%%", 100*o.GC) }},
	{"worst second", func(o outcome) string { return fmt.Sprintf("%.0f%%", 100*o.Worst) }},
	{"without idle marking", func(o outcome) string { return fmt.Sprintf("%.0f%%", 100*o.WorstForced) }},
	{"seconds over 25%", func(o outcome) string { return fmt.Sprintf("%.0f%%", 100*o.Over) }},
	{"cycles", func(o outcome) string { return fmt.Sprint(o.Cycles) }},
	{"requests", func(o outcome) string { return fmt.Sprint(o.Done) }},
	{"seconds", func(o outcome) string { return fmt.Sprintf("%.1f", o.Seconds) }},
	{"live at the end", func(o outcome) string { return fmt.Sprintf("%d MiB", o.LiveEnd>>20) }},
	{"peak charge", func(o outcome) string { return fmt.Sprintf("%d MiB", o.Peak>>20) }},
}

var idleColumns = []column{
	{"CPU", func(o outcome) string { return fmt.Sprintf("%.0f ms", 1000*o.CPU) }},
	{"cycles", func(o outcome) string { return fmt.Sprint(o.Cycles) }},
	{"peak charge", func(o outcome) string { return fmt.Sprintf("%.1f MiB", float64(o.Peak)/(1<<20)) }},
}

func printTables(w io.Writer, outcomes []outcome) {
	for _, s := range scenarios {
		use := columns
		if s.Rate == 0 {
			use = idleColumns
		}
		heads := []string{"policy"}
		for _, c := range use {
			heads = append(heads, c.head)
		}
		var rows [][]string
		notes := ""
		for _, p := range policyNames() {
			at := slices.IndexFunc(outcomes, func(o outcome) bool { return o.Scenario == s.name && o.Policy == p })
			if at < 0 {
				continue
			}
			o := outcomes[at]
			cells := []string{p}
			for _, c := range use {
				cells = append(cells, c.cell(o))
			}
			rows = append(rows, cells)
			if o.Profiles > 0 {
				notes += fmt.Sprintf("\n%s left %d profiles on disk; by the newest, `%s` holds the most.\n", p, o.Profiles, o.Holder)
			}
		}
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n**%s**: %s\n\n", s.name, s.title)
		printRow(w, heads)
		printRow(w, strings.Split(strings.Repeat("---,", len(heads)-1)+"---", ","))
		for _, cells := range rows {
			printRow(w, cells)
		}
		fmt.Fprint(w, notes)
	}
}

func printRow(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
