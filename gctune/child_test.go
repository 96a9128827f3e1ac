package gctune

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// TestMain turns the test binary into the program under test when the parent
// asks for it, so that limits and kills are those of a real process.
func TestMain(m *testing.M) {
	if name := os.Getenv("GCTUNE_CHILD"); name != "" {
		child(name)
		return
	}
	os.Exit(m.Run())
}

// node is garbage, block stays: a cached body and a pointer to it.
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

// leaked is never dropped.
var leaked [][]*block

// child runs a scenario in a group of 128 MiB, once its parent's line on stdin
// says that it is in there.
//
// Its steps wait for collections and not for time: gctune promises nothing for
// a rise that outruns the collector, and on a busy machine any rise would.
func child(name string) {
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		panic(err)
	}
	if os.Getenv("GCTUNE_OFF") == "" {
		o := Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))}
		if dir := os.Getenv("GCTUNE_PROFILES"); dir != "" {
			hooks, err := ProfileHooks(dir, ProfileOptions{Keep: 4})
			if err != nil {
				panic(err)
			}
			o.Hooks = hooks
		}
		if _, err := Start(o); err != nil {
			panic(err)
		}
	}
	switch name {
	case "swing":
		for range 2 {
			var held [][]*block
			for range 20 { // to 80 MiB
				held = append(held, retained(4<<20))
				collect(2)
			}
			runtime.KeepAlive(held)
			held = nil
			collect(2)
		}
	case "leak":
		// Slow enough for two sets of profiles that show the growth.
		for pace := time.NewTicker(together / 16); ; <-pace.C {
			leaked = append(leaked, retained(1<<20))
			collect(1)
		}
	case "outside":
		kept := retained(64 << 20)
		var outside [][]byte
		for range 15 { // to 30 MiB
			outside = append(outside, mapOutside(2<<20))
			// Until gctune has seen it. It may never see all of it, since pages that
			// are mapped but not touched hide some.
			for cycle := 0; cycle < 20 && Stats().NonGo < int64(len(outside)<<21); cycle++ {
				collect(1)
			}
		}
		runtime.KeepAlive(outside)
		runtime.KeepAlive(kept)
	}
	fmt.Println("done")
}

// collect makes garbage until n more collections have ended.
func collect(n uint64) {
	cycles := []metrics.Sample{{Name: metricNames[mCycles]}}
	metrics.Read(cycles)
	for until := cycles[0].Value.Uint64() + n; cycles[0].Value.Uint64() < until; metrics.Read(cycles) {
		if garbage(100 << 10).data[0] != 0 {
			panic("never")
		}
	}
}
