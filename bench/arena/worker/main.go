// Worker does one work as one contestant, in a process of its own.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/heapwright/heapwright/bench/arena/work"
)

func main() {
	list := flag.Bool("list", false, "print the contestants of this build as JSON")
	name := flag.String("work", "", "what to do")
	contestant := flag.String("contestant", "", "who does it")
	n := flag.Int("n", 0, "do `N` operations after the first")
	calibrate := flag.Duration("calibrate", 0, "print how many operations take about this `TIME`")
	turns := flag.Int("turns", 0, "let contestants take `N` turns each, and print their CPU seconds per operation as JSON")
	turnTime := flag.Duration("turn-time", time.Millisecond, "of one turn, about")
	flag.Parse()
	if *list {
		if err := json.NewEncoder(os.Stdout).Encode(work.All); err != nil {
			fail(err)
		}
		return
	}
	if *turns > 0 {
		took, err := takeTurns(work.InTurns(*name), *turns, *turnTime)
		if err == nil {
			err = json.NewEncoder(os.Stdout).Encode(took)
		}
		if err != nil {
			fail(fmt.Errorf("%s by turns: %w", *name, err))
		}
		return
	}
	c, ok := work.Find(*name, *contestant)
	if !ok {
		fail(fmt.Errorf("no %q by %q in this build; see -list", *name, *contestant))
	}
	loop := c.New()
	once := loop(1)
	if *calibrate > 0 {
		fmt.Println(operations(loop, *calibrate))
		return
	}
	if got, want := loop(*n), uint64(*n)*once; got != want {
		fail(fmt.Errorf("%s by %s: %d operations yield %d, want %d", *name, *contestant, *n, got, want))
	}
	fmt.Println(once)
}

// operations returns the number of operations that take about d.
func operations(loop work.Loop, d time.Duration) int {
	for n := 1; ; n *= 2 {
		start := time.Now()
		loop(n)
		if took := time.Since(start); took >= d/4 {
			return max(1, int(float64(n)*float64(d)/float64(took)))
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "worker:", err)
	os.Exit(1)
}
