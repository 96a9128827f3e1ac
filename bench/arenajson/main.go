// Arenajson measures arenajson next to encoding/json, go-json-experiment/json,
// goccy/go-json, bytedance/sonic and segmentio/encoding. It prints
// docs/results/arenajson.md.
//
//	go -C bench run ./arenajson > docs/results/arenajson.md
//
// Each figure is the median, over rounds, of the CPU time of the process (user
// and system, the collector included) per document. All contestants of a document
// take turns in one process, in random order.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

const head = `# The cost of decoding JSON

This page is the output of one command:

    go -C bench run ./arenajson%s > docs/results/arenajson.md

Each figure is CPU time (user and system, of the whole process, the collector included) per document, in µs: the median over
rounds, in which all contestants take turns in random order. *Relative* is to encoding/json, the first row. *Allocations* are
those of the heap per document. Arenas come from a Pool and are freed after each document. Canada, citm and Twitter are the
documents in the Go distribution's tests of encoding/json.
`

func main() {
	rounds := flag.Int("rounds", 7, "run everything `N` times")
	runTime := flag.Duration("run-time", 100*time.Millisecond, "of one turn")
	only := flag.String("document", "", "measure only documents that contain `TEXT`")
	seed := flag.Uint64("seed", 1, "of the random order")
	flag.Parse()
	var args strings.Builder
	flag.Visit(func(f *flag.Flag) { fmt.Fprintf(&args, " -%s %s", f.Name, f.Value) })
	all, err := documents()
	if err != nil {
		fmt.Fprintln(os.Stderr, "arenajson:", err)
		os.Exit(1)
	}
	fmt.Printf(head, args.String())
	for _, d := range all {
		if !strings.Contains(d.name, *only) {
			continue
		}
		if err := d.check(); err != nil {
			fmt.Fprintf(os.Stderr, "arenajson: %s: %v\n", d.name, err)
			os.Exit(1)
		}
		d.measure(*rounds, *runTime, *seed)
		d.print()
	}
}

func (d *document) print() {
	fmt.Printf("\n## %s\n\n%s: %d bytes.\n\n", d.name, d.about, len(d.data))
	fmt.Println("| decoder | CPU µs | relative | allocations |\n| --- | ---: | ---: | ---: |")
	base := median(d.contestants[0].cpus)
	for _, c := range d.contestants {
		cpu := median(c.cpus)
		fmt.Printf("| %s | %.4g | %.3f | %.4g |\n", c.name, cpu*1e6, cpu/base, c.allocs)
	}
}
