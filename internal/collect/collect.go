// Package collect fetches the memory figures of a live service: profiles, /debug/vars
// and build information, into files and one versioned document.
//
// The stance: disturb a service in production as little as possible. A request that would
// show in a profile waits until the profile is recorded, nothing is requested twice, and
// the collector runs only if the user asks for it, or three times at most where a diagnosis
// would see nothing new. An answer is checked before its file gets its name, so a final name
// has a whole profile of the right kind, and no file is overwritten. Each missing part is
// reported with its URL and the reason; the others are kept.
package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
)

// ErrIncomplete is in Run's error when a part of the plan could not be had and the
// rest is kept.
var ErrIncomplete = errors.New("incomplete")

// Defaults of a Plan.
const (
	DefaultDuration = 30 * time.Second
	DefaultTimeout  = 30 * time.Second
)

// Plan is the order for a collection. URL and Dir must be set; the rest has defaults.
type Plan struct {
	URL     string // the service's root, or anything under /debug/pprof
	Service string // names the files; default: host and port
	Dir     string // the folder of the files; made if need be

	// Duration is the time of the CPU profile and the window of allocations, at least
	// 1 s; default 30 s.
	Duration time.Duration
	// Trace is the time of an execution trace, which disturbs the service most; 0 is none.
	Trace time.Duration
	// Watch is the number of heap and goroutine profiles, spread evenly over the window. Below
	// 3, heap profiles are taken only at its ends, and one goroutine profile between. A trend
	// needs three.
	Watch int
	GC    When // when the service collects garbage before a heap profile
	// Timeout is how long an answer may take beside the time that is recorded for it;
	// default 30 s.
	Timeout time.Duration
	// MaxBytes bounds one inflated answer; default profile.DefaultMaxBytes.
	MaxBytes int64
	Access   Access
	Tool     string // the version for the document
	// Event is called with the progress, not concurrently; nil is nobody.
	Event func(Event)

	dial func(ctx context.Context, network, addr string) (net.Conn, error) // nil is the network
}

func (p Plan) withDefaults() (Plan, *url.URL, error) {
	root, err := parseURL(p.URL)
	if err != nil {
		return p, nil, err
	}
	p.Service = fileName(cmp.Or(p.Service, root.Host))
	p.Duration = cmp.Or(p.Duration, DefaultDuration)
	p.Timeout = cmp.Or(p.Timeout, DefaultTimeout)
	p.MaxBytes = cmp.Or(p.MaxBytes, profile.DefaultMaxBytes)
	if p.Event == nil {
		p.Event = func(Event) {}
	}
	switch {
	case p.Duration < time.Second:
		return p, nil, errors.New("the duration must be at least 1s: services count in whole seconds")
	case p.Trace < 0 || p.Timeout < 0 || p.MaxBytes < 0:
		return p, nil, errors.New("the length of the trace, the timeout and the size must not be negative")
	}
	return p, root, nil
}

// Check returns the fault of a plan, without asking anybody: of the URL, the figures,
// keys and certificates.
func (p Plan) Check(ctx context.Context) error {
	if _, _, err := p.withDefaults(); err != nil {
		return err
	}
	_, err := p.Access.transport(ctx)
	return err
}

// Run collects and returns the document that it has saved beside the files. With
// an error the document is nil if there is nothing to keep; otherwise it lists the
// files, and the error is ErrIncomplete or, where ctx was cancelled, its cause.
func Run(ctx context.Context, plan Plan) (*Document, error) {
	plan, root, err := plan.withDefaults()
	if err != nil {
		return nil, err
	}
	client, err := plan.Access.client(ctx, root, plan.dial)
	if err != nil {
		return nil, err
	}
	c := &collector{plan: plan, root: root, client: client, showing: make(chan struct{}, 1)}
	defer client.CloseIdleConnections()
	began := time.Now()
	c.doc = &Document{
		Schema: Schema, Tool: plan.Tool, Service: plan.Service, URL: root.String(), Started: began.UTC(),
		Warnings: plan.Access.warnings(root),
	}
	if err := c.collect(ctx); err != nil {
		return nil, err
	}
	c.sumUp()
	if ctx.Err() != nil {
		c.doc.Stopped = "interrupted"
	}
	c.doc.Finished = c.doc.Started.Add(time.Since(began)) // the monotonic clock: nobody sets that meanwhile
	if err := c.saveDocument(); err != nil {
		return c.doc, err
	}
	switch {
	case ctx.Err() != nil:
		return c.doc, context.Cause(ctx)
	case c.failed > 0:
		return c.doc, fmt.Errorf("%w: %d parts failed; the rest is kept", ErrIncomplete, c.failed)
	}
	return c.doc, nil
}
