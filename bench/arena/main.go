// Command arena measures package arena against the heap, its peers and the
// floor, and prints the table of docs/arena.md:
//
//	go run ./arena
//
// in the directory bench. Every figure is the CPU time (user and system) of a
// whole process, less that of a process that does nothing. The cases of a work
// run one after the other in random order, as often as -runs says, and the
// table shows medians.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("arena: ")
	runs := flag.Int("runs", 7, "processes for each case")
	toolchains := flag.String("go", "go1.26.8,go1.27.4", "toolchains, separated by commas")
	work := flag.String("work", "", "measure only works that begin with this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "arena-bench-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, toolchain := range strings.Split(*toolchains, ",") {
		b, err := build(ctx, dir, toolchain)
		if err != nil {
			log.Fatal(err)
		}
		results, err := b.measure(ctx, *runs, *work)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("### %s\n\n%s\n", toolchain, table(results))
	}
}
