// Command cases runs one case of the arena benchmark: cases NAME ROUNDS. It is
// started by the command bench/arena, which measures the CPU time of the whole
// process; a case therefore does nothing but its rounds.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
)

// cases maps work/variant to what runs n rounds of it.
var cases = map[string]func(n int){
	"nothing/": func(int) {}, // the cost of a process
}

func main() {
	if len(os.Args) == 1 {
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			fmt.Println(name)
		}
		return
	}
	if len(os.Args) != 3 {
		fail("usage: cases [NAME ROUNDS]")
	}
	run, ok := cases[os.Args[1]]
	n, err := strconv.Atoi(os.Args[2])
	if !ok || err != nil {
		fail("cases: no case " + os.Args[1] + " with " + os.Args[2] + " rounds; cases without arguments lists them")
	}
	run(n)
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(2)
}

// repeat makes a case of one round.
func repeat(round func()) func(int) {
	return func(n int) {
		for range n {
			round()
		}
	}
}
