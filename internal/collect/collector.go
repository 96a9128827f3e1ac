package collect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
)

// collector runs one plan.
type collector struct {
	plan   Plan
	root   *url.URL
	client *http.Client

	mu     sync.Mutex // for what follows, and one event at a time
	doc    *Document
	failed int

	heaps, vars [2]*fetched // before and after the window
	cpu         *fetched
}

// fetched is one answer that is what it should be.
type fetched struct {
	data    []byte
	profile *profile.Profile // nil for what is none
	at      time.Time
}

// collect fetches in four steps: the state before, the window with the CPU
// profile alone, for serving other profiles would be in it, the state after, and
// the trace, which slows the service down. It fails if there was nothing to keep
// after the first.
func (c *collector) collect(ctx context.Context) error {
	var firstHeap error
	together(
		func() { c.heaps[0], firstHeap = c.fetch(ctx, heap, 0) },
		func() { c.vars[0], _ = c.fetch(ctx, vars, 0) },
	)
	if len(c.doc.Files) == 0 { // it is not there, or not what it should be: do not wait for more
		return firstHeap
	}
	c.window(ctx)
	together(
		func() { c.heaps[1], _ = c.fetch(ctx, heap, 0) },
		func() { c.vars[1], _ = c.fetch(ctx, vars, 0) },
		func() { c.askResident(ctx) },
		func() { c.fetch(ctx, goroutine, 0) },
		func() { c.fetch(ctx, mutex, 0) },
		func() { c.fetch(ctx, block, 0) },
	)
	if c.plan.Trace > 0 {
		c.fetch(ctx, trace, c.plan.Trace)
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
func (c *collector) fetch(ctx context.Context, k kind, recording time.Duration) (*fetched, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if recording > 0 {
		c.tell(Event{Type: k.name, Recording: recording})
	}
	address := k.request(c.root, recording, c.plan.GC && k.name == heap.name)
	got := &fetched{at: time.Now().UTC()}
	var err error
	if got.data, err = c.get(ctx, address, recording, k.sized); err == nil {
		if got.profile, err = k.check(address, got.data, c.plan.MaxBytes); err != nil {
			err = wrongAnswer{err}
		}
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
	file := File{Type: k.name, URL: address, Taken: got.at, Bytes: len(got.data)}
	if got.profile != nil {
		file.Totals = totals(got.profile)
	}
	return got, c.save(k, file, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(got.data))
		return err
	})
}

// save stores a file and notes it in the document.
func (c *collector) save(k kind, file File, write func(io.Writer) error) error {
	name, err := c.store(k, file.Taken, write)
	if err != nil {
		c.miss(k, true, err)
		return err
	}
	file.Path = name
	c.mu.Lock()
	c.doc.Files = append(c.doc.Files, file)
	c.mu.Unlock()
	c.tell(Event{Type: k.name, File: name})
	return nil
}

// miss notes what could not be had.
func (c *collector) miss(k kind, failed bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.doc.Missing = append(c.doc.Missing, Missing{Type: k.name, Failed: failed, Reason: err.Error()})
	if failed {
		c.failed++
	}
}

func (c *collector) tell(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.plan.Event(e)
}
