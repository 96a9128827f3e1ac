package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

const (
	// tick is how often a client hears what is new.
	tick = time.Second
	// quiet is how long it hears nothing where nothing is new, as while tests run. Clients
	// give a call up after a minute of silence.
	quiet = 10 * time.Second
)

// progress reports the events of a call to its client. It is a result.Handler. Events only
// change its text: a client that reads slowly must not slow a measurement down.
type progress struct {
	notify func(seconds float64, text string)
	mu     sync.Mutex
	text   string
	stop   context.CancelFunc
	done   chan struct{}
}

// newProgress reports to the client of a call, if it asked for that.
func newProgress(ctx context.Context, call *sdk.CallToolRequest) *progress {
	token := call.Params.GetProgressToken()
	if token == nil {
		return startProgress(ctx, nil)
	}
	return startProgress(ctx, func(seconds float64, text string) {
		// A client that is gone ends the context, too.
		_ = call.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: seconds, Message: text,
		})
	})
}

// startProgress sends the text to notify, which may be nil, until end. The seconds since
// the start are the only measure of progress that never falls.
func startProgress(ctx context.Context, notify func(seconds float64, text string)) *progress {
	ctx, stop := context.WithCancel(ctx)
	p := &progress{notify: notify, stop: stop, done: make(chan struct{})}
	if notify == nil {
		close(p.done)
		return p
	}
	go p.send(ctx)
	return p
}

func (p *progress) send(ctx context.Context) {
	defer close(p.done)
	began := time.Now()
	last, sent := began, ""
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		p.mu.Lock()
		text := p.text
		p.mu.Unlock()
		if text == sent && time.Since(last) < quiet {
			continue
		}
		last, sent = time.Now(), text
		p.notify(time.Since(began).Seconds(), text)
	}
}

// end stops the reports. None follows.
func (p *progress) end() {
	p.stop()
	<-p.done
}

// Handle takes an event.
func (p *progress) Handle(e result.Event) {
	text := ""
	switch e := e.(type) {
	case result.Progress:
		text = string(e.Phase)
		if e.Total > 0 {
			text += fmt.Sprintf(" %d/%d%s", e.Done, e.Total, e.Phase.Unit())
		}
		if e.Doing != "" {
			text += ": " + e.Doing
		}
		if e.ETA > 0 {
			text += ", about " + format.Duration(e.ETA.Round(time.Second)) + " left"
		}
	case result.Note:
		text = e.Text
	case result.RunFailure:
		text = "failed: " + e.Run() + ": " + e.Reason
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = termtext.HarmlessLines(text)
}
