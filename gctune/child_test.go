package gctune

import (
	"bufio"
	"fmt"
	"log/slog"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestMain turns the test binary into the program under test when the parent
// asks for it, so that limits, kills and GC figures are those of a real
// process.
func TestMain(m *testing.M) {
	if s := os.Getenv("GCTUNE_CHILD"); s != "" {
		child(s)
		return
	}
	os.Exit(m.Run())
}

// node is garbage, block what stays: a cached body and a pointer to it.
type node struct {
	next *node
	data [120]byte
}

type block struct {
	body *[240]byte
	//lint:ignore U1000 what an entry of a cache has beside its body
	key [8]byte
}

func garbage(n int) *node {
	var head *node
	for range n / 128 {
		head = &node{next: head}
	}
	return head
}

func retained(n int) []*block {
	blocks := make([]*block, n/256)
	for i := range blocks {
		blocks[i] = &block{body: new([240]byte)}
		blocks[i].body[i%240] = 1 // resident
	}
	return blocks
}

// child runs a scenario "name key=value ...": the parent's line on stdin
// starts it.
func child(scenario string) {
	bufio.NewReader(os.Stdin).ReadString('\n')
	f := strings.Fields(scenario)
	num := func(key string, otherwise int) int {
		for _, kv := range f[1:] {
			var n int
			if _, err := fmt.Sscanf(kv, key+"=%d", &n); err == nil {
				return n
			}
		}
		return otherwise
	}
	switch mode := f[1]; mode {
	case "gctune":
		o := Options{MinHeap: int64(num("floor", 0)) << 20, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))}
		if dir := os.Getenv("GCTUNE_PROFILES"); dir != "" {
			write, err := ProfileWriter(dir, 4)
			if err != nil {
				panic(err)
			}
			o.Hooks = []Hook{{Do: write}}
		}
		if err := Start(o); err != nil {
			panic(err)
		}
	case "memlimit":
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(int64(num("limit", 512)) << 20 * 9 / 10)
	}
	var work atomic.Int64
	for range 2 * runtime.GOMAXPROCS(0) {
		go serve(num("rate", 1000)/(2*runtime.GOMAXPROCS(0)), &work)
	}
	seconds := num("seconds", 60)
	go report(&work)
	switch f[0] {
	case "swing":
		for range num("storms", 5) {
			var live [][]*block
			for range num("high", 400) - num("low", 50) {
				live = append(live, retained(1<<20))
				time.Sleep(time.Duration(num("pace", 10)) * time.Millisecond)
			}
			time.Sleep(time.Second)
			runtime.KeepAlive(live)
			live = nil
			time.Sleep(time.Second)
		}
	case "leak":
		kept := [][]*block{retained(num("low", 50) << 20)}
		for {
			kept = append(kept, retained(num("speed", 5)<<20/20))
			time.Sleep(50 * time.Millisecond)
		}
	case "steady":
		kept := retained(num("low", 50) << 20)
		var outside [][]byte
		for i := range seconds {
			if grow := num("outside", 0); grow > 0 && i >= 5 && len(outside) < 20 {
				outside = append(outside, mapOutside(grow<<20/20))
			}
			time.Sleep(time.Second)
		}
		runtime.KeepAlive(outside)
		runtime.KeepAlive(kept)
	}
	fmt.Println("done", work.Load())
}

// serve makes garbage at a fixed open rate: about 100 KB per request.
func serve(perSecond int, work *atomic.Int64) {
	keep := 0.0
	last := time.Now()
	for {
		time.Sleep(time.Millisecond)
		now := time.Now()
		keep += now.Sub(last).Seconds() * float64(perSecond)
		last = now
		keep = min(keep, float64(perSecond)) // a second's backlog
		for ; keep >= 1; keep-- {
			n := garbage(100 << 10)
			if n.data[0] != 0 {
				panic("never")
			}
			work.Add(1)
		}
	}
}

// report prints, every 50 ms, the time, the work done, and the CPU seconds of
// collections so far.
func report(work *atomic.Int64) {
	s := []metrics.Sample{{Name: metricNames[mGCCPU]}, {Name: metricNames[mCycles]}, {Name: metricNames[mLive]}, {Name: metricNames[mLimit]}, {Name: metricNames[mGOGC]}}
	began := time.Now()
	for {
		time.Sleep(50 * time.Millisecond)
		metrics.Read(s)
		limit := s[3].Value.Uint64()
		if limit == math.MaxInt64 {
			limit = 0
		}
		fmt.Println("at", time.Since(began).Seconds(), work.Load(), s[0].Value.Float64(), s[1].Value.Uint64(), s[2].Value.Uint64()>>20, limit>>20, int32(s[4].Value.Uint64()))
	}
}
