package main

import (
	"fmt"
	"io"
	"strings"
)

// writeReported lists the misuses that follow a public bug report.
func writeReported(w io.Writer, cases []*misuse) {
	found := 0
	for _, c := range cases {
		if c.found {
			found++
		}
	}
	fmt.Fprintf(w, `## Public bug reports

%d of these misuses follow public bug reports of pools. Each program is new and has the mistake of the report. The
checks find %d at a line that the program's author marked. The lines were not compared with those of the published fixes.

| report | mistake | found |
| --- | --- | --- |
`, len(cases), found)
	for _, c := range cases {
		_, mistake, _ := strings.Cut(c.what, ": ")
		answer := "no"
		if c.found {
			answer = "yes"
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", c.reported, mistake, answer)
	}
}
