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
	"context"
	"flag"
	"os"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/bench/internal/contest"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

const about = `Each figure is CPU time (user and system, of the whole process, the collector included) per message, in µs: the median over
rounds, in which all contestants take turns in random order. *Relative* is to the first row. *Allocations* are those of the
heap per message. Arenas come from a Pool and are freed after each message, unless the row says otherwise. An arena that is
dropped leaves as many bytes to the collector as proto.Unmarshal does, so it saves least where numbers fill the message.
Where much stays alive, turns last to the end of a collection, so that each decoder pays for the collections that it causes.

The code of vtprotobuf is as published for Remote-write 2.0 and the profile. For OTLP and Remote-write 1.0 its generator runs
before the measurement, with pools for all messages where the row says so. Decoders stand only where they can decode the
message.
`

func main() {
	o := contest.Flags("shape", 15, 20*time.Millisecond)
	live := flag.Int("live", 200, "megabytes of live pointers, `N`, beside the shape that has a live heap")
	program.Main(program.InScratch(func(ctx context.Context, dir string) error {
		if !hasMethods() {
			return runWithMethods(ctx, dir, os.Args[1:], os.Stdout)
		}
		all := shapes(*live)
		for _, c := range []struct {
			of string
			m  proto.Message
		}{{"1,000 spans", spans(1000, false)}, {"one span", spans(1, false)}, {"100 bytes", smallSpan()}} {
			s, err := newCall("A gRPC call, "+c.of, "A whole unary call over the loopback, client included", c.m)
			if err != nil {
				return err
			}
			all = append(all, s)
		}
		return o.Run(ctx, "arenapb", page.Page{File: "arenapb.md", Title: "The cost of decoding protobuf", About: about}, all)
	}))
}
