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
	"time"

	"github.com/heapwright/heapwright/bench/internal/contest"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

const about = `Each figure is CPU time (user and system, of the whole process, the collector included) per document, in µs: the median over
rounds, in which all contestants take turns in random order. *Relative* is to encoding/json, the first row. *Allocations* are
those of the heap per document. Arenas come from a Pool and are freed after each document. Canada, citm and Twitter are the
documents in the Go distribution's tests of encoding/json.
`

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
