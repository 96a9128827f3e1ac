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
	"context"
	_ "embed"
	"time"

	"github.com/heapwright/heapwright/bench/internal/contest"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

//go:embed about.txt
var about string

func main() {
	o := contest.Flags("document", 7, 100*time.Millisecond)
	program.Main(func(ctx context.Context) error {
		all, err := documents(ctx)
		if err != nil {
			return err
		}
		return o.Run(ctx, "arenajson", page.Page{File: "arenajson.md", Title: "The cost of decoding JSON", About: about}, all)
	})
}
