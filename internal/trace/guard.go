package trace

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
)

// checkEvery is after how many bytes memory is looked at. The tables of a hostile
// trace take some forty times its bytes.
const checkEvery = 1 << 18

// guard reads a trace for a library that holds a whole generation in memory, and
// goroutines and tasks for as long as they live, however many a trace claims. It
// ends reading when that takes too much, and when the context ends.
type guard struct {
	r        io.Reader
	ctx      context.Context
	max      int64
	progress func(int64)
	read     int64
	checked  int64
	failed   error
}

func (g *guard) Read(b []byte) (int, error) {
	if g.failed != nil {
		return 0, g.failed
	}
	n, err := g.r.Read(b)
	g.read += int64(n)
	if g.read-g.checked >= checkEvery {
		g.checked = g.read
		if failed := g.check(); failed != nil {
			return 0, failed
		}
		if g.progress != nil {
			g.progress(g.read)
		}
	}
	return n, err
}

// check returns why reading must end.
func (g *guard) check() error {
	if g.failed == nil && g.ctx.Err() != nil {
		g.failed = context.Cause(g.ctx)
	}
	// The rest is for a table that doubles between two checks.
	if limit := g.max / 2; g.failed == nil && held() > limit {
		runtime.GC() // garbage does not count
		if held() > limit/8*7 {
			g.failed = fmt.Errorf("reading it takes more than %d MiB of memory, at byte %d; trace for a shorter time, or allow more with -max-bytes if you trust it", g.max>>20, g.read)
		}
	}
	return g.failed
}

// held returns the bytes of the heap, garbage that is not swept included.
func held() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
