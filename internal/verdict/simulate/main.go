// Command simulate measures on simulated machines, where the truth is known,
// what docs/method.md promises: how often intervals contain the true effect,
// how often a difference is claimed that is not there, and how large an effect
// is found. It prints the Markdown tables of that page, always the same ones
// for the same -seed and -n.
//
//	go run ./internal/verdict/simulate              all, in about ten minutes
//	go run ./internal/verdict/simulate -lines drift those lines whose name holds "drift"
package main

import (
	"flag"
	"fmt"
	"os"
)

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
	s.coverage(os.Stdout)
	s.falseClaims(os.Stdout)
	s.power(os.Stdout)
	s.forecasts(os.Stdout)
}
