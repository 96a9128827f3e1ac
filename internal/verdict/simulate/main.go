// Command simulate checks the promises of docs/method.md on simulated machines,
// where the truth is known: how often intervals contain the true effect,
// how often a difference is claimed that is not there, and how large an effect
// is found. It prints docs/results/simulation.md, always the same tables for the
// same -seed and -n.
//
//	go run ./internal/verdict/simulate              all, in about ten minutes
//	go run ./internal/verdict/simulate -lines drift those lines whose name holds "drift"
package main

import (
	"flag"
	"fmt"
	"os"
)

const head = `# The method on simulated machines

This page is the output of one command. The tables are the same in every run.

    go run ./internal/verdict/simulate > docs/results/simulation.md

[How the statistics are validated](../internals/validation.md) explains the tables.

`

func main() {
	n := flag.Int("n", 400, "simulate `N` experiments for each line")
	seed := flag.Uint64("seed", 1, "draw the noise from this `SEED`")
	lines := flag.String("lines", "", "only the lines whose table or name holds `TEXT`")
	flag.Parse()
	if *n < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: simulate [-n N] [-seed SEED] [-lines TEXT], with N at least 1")
		os.Exit(2)
	}
	s := simulation{n: *n, seed: *seed, lines: *lines}
	fmt.Print(head)
	s.coverage(os.Stdout)
	s.falseClaims(os.Stdout)
	s.power(os.Stdout)
	s.forecasts(os.Stdout)
}
