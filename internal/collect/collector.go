package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
)

// slowGoroutines is the time from which on a goroutine profile is not repeated: a profile of
// 100,000 goroutines takes about as long.
const slowGoroutines = time.Second

// collector runs one plan.
type collector struct {
	plan   Plan
	root   *url.URL
	client *http.Client

	mu     sync.Mutex // guards the fields below, and lets one event pass at a time
	doc    *Document
	failed int

	decoding sync.Mutex   // one answer at a time: each may take much memory
	held     int64        // bytes of memory that decoded answers hold, under decoding
	received atomic.Int64 // bytes of all answers

	patience patience
	showing  chan struct{} // holds a value while a request's progress is shown: one at a time

	heaps, vars [2]*answer   // the beginning and the end of the window
	resident    [2]*Resident // likewise
	meanwhile   []Resident   // within the window, each before a heap profile
	sparing     bool         // goroutine profiles take long, so none is taken within the window
	unsettled   bool         // the service does not report its live heap after a collection
	stale       staleness    // follows the heap profiles, which come one at a time
	cpu         *answer
}

// answer is one valid answer.
type answer struct {
	data    []byte
	profile *profile.Profile // nil for an answer of another kind
	at      time.Time        // has the monotonic clock, which nobody sets; UTC would remove it
}

// collect fetches in four steps: the state before, the window with the CPU
// profile, alone but for one of goroutines unless the plan watches the heap, for serving
// other profiles is in it, the state after, and the trace, which slows the service down.
// It fails if there was nothing to keep after the first.
func (c *collector) collect(ctx context.Context) error {
	var firstHeap error
	together(
		func() { c.heaps[0], firstHeap = c.fetch(ctx, heap, 0) },
		func() { c.vars[0] = c.counters(ctx) },
		func() { c.resident[0] = c.askResident(ctx) },
	)
	if len(c.doc.Files) == 0 { // it is not there, or not valid: do not wait for more
		return firstHeap
	}
	began := time.Now()
	c.fetch(ctx, goroutine, 0)
	if took := time.Since(began); took > slowGoroutines {
		c.sparing = true
		c.warn(fmt.Sprintf("the goroutine profile took %v, and up to Go 1.18 the service stands still for it: "+
			"it is taken only at the ends of the window, so growth of goroutines has no trend",
			took.Round(100*time.Millisecond)))
	}
	over := make(chan struct{})
	together(
		func() { defer close(over); c.window(ctx) },
		func() { c.watch(ctx, over) },
	)
	c.stale.over = true
	together(
		func() { c.heaps[1], _ = c.fetch(ctx, heap, 0) },
		func() { c.fetch(ctx, goroutine, 0) },
		func() { c.fetch(ctx, mutex, 0) },
		func() { c.fetch(ctx, block, 0) },
	)
	// The profiles allocate, so the counters come later: the two are compared with each
	// other.
	together(
		func() { c.vars[1] = c.counters(ctx) },
		func() { c.resident[1] = c.askResident(ctx) },
	)
	c.fetch(ctx, leak, 0) // alone, because it collects garbage
	if c.plan.Trace > 0 {
		c.recordTrace(ctx)
	}
	return nil
}

func together(all ...func()) {
	var wg sync.WaitGroup
	for _, f := range all {
		wg.Go(f)
	}
	wg.Wait()
}

// window records the CPU profile and lets the rest of the window pass if the
// service is alive but does not record: allocations are counted all the same.
func (c *collector) window(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	defer c.count(cpu, c.plan.Duration)()
	end := time.NewTimer(c.plan.Duration)
	defer end.Stop()
	var err error
	c.cpu, err = c.fetch(ctx, cpu, c.plan.Duration)
	if err != nil && !answers(err) {
		return
	}
	select {
	case <-end.C:
	case <-ctx.Done():
	}
}

// fetch gets, checks and saves one thing and writes it down, or why not. After
// an interruption it does nothing.
func (c *collector) fetch(ctx context.Context, k kind, recording time.Duration) (*answer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	gc := k.name == heap.name && c.stale.asks(c.plan.GC)
	var live int64
	if gc {
		live = c.settle(ctx)
	}
	address := k.request(c.root, recording, gc && live == 0)
	got := &answer{at: time.Now()}
	var err error
	if got.data, err = c.get(ctx, address, recording, k); err == nil {
		if got.profile, err = c.check(k, address, got.data); err != nil {
			err = wrongAnswer{err}
		}
	}
	if err != nil {
		err = shortError{err}
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx) // nothing is wrong with the service
	case err != nil:
		c.miss(k, !(k.optional && notServed(err)), err)
		return nil, err
	case k.mayBeOff && got.profile.Len() == 0:
		c.miss(k, false, errors.New("no samples: the service does not record them, or there was nothing to record"))
		return got, nil
	}
	file := File{Type: k.name, URL: address, Taken: got.at, Bytes: len(got.data), Live: live}
	if got.profile != nil {
		file.Totals = totals(got.profile)
	}
	if k.name == heap.name {
		c.stale.saw(file.Totals, gc)
	}
	return got, c.save(k, file, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(got.data))
		return err
	})
}

// check decodes an answer within the memory that those before it leave.
func (c *collector) check(k kind, address string, data []byte) (*profile.Profile, error) {
	c.decoding.Lock()
	defer c.decoding.Unlock()
	p, err := k.check(address, data, c.options())
	if p != nil && (k.name == heap.name || k.name == cpu.name) { // the others are not kept
		c.held += p.Memory()
	}
	return p, err
}

// options bound the memory of decoding by the memory that is held already.
func (c *collector) options() profile.Options {
	return profile.Options{MaxBytes: c.plan.MaxBytes, Held: c.held}
}

// save stores a file and notes it in the document.
func (c *collector) save(k kind, file File, write func(io.Writer) error) error {
	name, err := c.store(k, file.Taken, write)
	if err != nil {
		c.miss(k, true, err)
		return err
	}
	file.Path, file.Taken = name, file.Taken.UTC()
	c.mu.Lock()
	c.doc.Files = append(c.doc.Files, file)
	c.mu.Unlock()
	c.tell(Event{Type: k.name, File: name})
	return nil
}

// miss notes a part that could not be had, once for each reason: some are asked for
// before and after the window.
func (c *collector) miss(k kind, failed bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := Missing{Type: k.name, Failed: failed, Reason: err.Error()}
	if slices.Contains(c.doc.Missing, m) {
		return
	}
	c.doc.Missing = append(c.doc.Missing, m)
	if failed {
		c.failed++
	}
}

func (c *collector) tell(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.plan.Event(e)
}
