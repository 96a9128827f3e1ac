// Arenapb measures arenapb next to proto.Unmarshal, the collector's pdata,
// vtprotobuf, hyperpb and easyproto. It prints docs/results/arenapb.md.
//
//	go -C bench run ./arenapb > docs/results/arenapb.md
//
// Each figure is the median, over rounds, of the CPU time of the process (user
// and system, the collector included) per message. All contestants of a shape
// take turns in one process, in random order. That process is this program,
// built again in a temporary workspace where the message types have the methods
// that vtprotobuf generates.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
)

const head = `# The cost of decoding protobuf

This page is the output of one command:

    go -C bench run ./arenapb%s > docs/results/arenapb.md

Each figure is CPU time (user and system, of the whole process, the collector included) per message, in µs: the median over
rounds, in which all contestants take turns in random order. *Relative* is to the first row. *Allocations* are those of the
heap per message. Arenas come from a Pool and are freed after each message, unless the row says otherwise. An arena that is
dropped leaves as many bytes to the collector as proto.Unmarshal does, so it saves least where numbers fill the message.
Where much stays alive, turns last to the end of a collection, so that each decoder pays for the collections that it causes.

The code of vtprotobuf is as published for Remote-write 2.0 and the profile. For OTLP and Remote-write 1.0 its generator runs
before the measurement, with pools for all messages where the row says so. Decoders stand only where they can decode the
message.
`

func main() {
	rounds := flag.Int("rounds", 15, "run everything `N` times")
	runTime := flag.Duration("run-time", 20*time.Millisecond, "of one turn")
	only := flag.String("shape", "", "measure only shapes that contain `TEXT`")
	live := flag.Int("live", 200, "megabytes of live pointers, `N`, beside the shape that has a live heap")
	seed := flag.Uint64("seed", 1, "of the random order")
	flag.Parse()
	if !hasMethods() {
		if err := runWithMethods(os.Args[1:], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "arenapb:", err)
			os.Exit(1)
		}
		return
	}
	var args strings.Builder
	flag.Visit(func(f *flag.Flag) { fmt.Fprintf(&args, " -%s %s", f.Name, f.Value) })
	fmt.Printf(head, args.String())
	all := shapes(*live)
	for _, c := range []struct {
		of string
		m  proto.Message
	}{{"1,000 spans", spans(1000, false)}, {"one span", spans(1, false)}, {"100 bytes", smallSpan()}} {
		s, err := newCall("A gRPC call, "+c.of, "A whole unary call over the loopback, client included", c.m)
		if err != nil {
			fmt.Fprintln(os.Stderr, "arenapb:", err)
			os.Exit(1)
		}
		all = append(all, s)
	}
	for _, s := range all {
		if !strings.Contains(s.name, *only) {
			continue
		}
		if err := s.check(); err != nil {
			fmt.Fprintf(os.Stderr, "arenapb: %s: %v\n", s.name, err)
			os.Exit(1)
		}
		s.measure(*rounds*max(s.rounds, 1), *runTime, *seed)
		s.print()
	}
}

func (s *shape) print() {
	fmt.Printf("\n## %s\n\n%s: %d bytes.\n\n", s.name, s.about, len(s.data))
	head, rule := "| decoder | CPU µs | relative | allocations |", "| --- | ---: | ---: | ---: |"
	if s.kept {
		fmt.Print("*Live* is the heap that each kept message needs, its part of what an arena holds included. *Collection* is the CPU time\n" +
			"that each kept message adds to every collection, whoever causes it.\n\n")
		head, rule = head+" live KB | collection µs |", rule+" ---: | ---: |"
	}
	fmt.Println(head + "\n" + rule)
	base := median(s.contestants[0].cpus)
	for _, c := range s.contestants {
		cpu := median(c.cpus)
		fmt.Printf("| %s | %.4g | %.3f | %.4g |", c.name, cpu*1e6, cpu/base, median(c.allocs))
		if s.kept {
			fmt.Printf(" %.4g | %.3g |", median(c.liveKB), median(c.marks)*1e6)
		}
		fmt.Println()
	}
}
