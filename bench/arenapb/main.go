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
	_ "embed"
	"flag"
	"os"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/bench/internal/contest"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

//go:embed about.txt
var about string

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
