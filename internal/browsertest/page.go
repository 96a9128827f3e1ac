package browsertest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Written returns the page that a view writes of a document.
func Written[D any](t testing.TB, write func(io.Writer, D) error, d D) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Window is a window's size in CSS pixels and its scheme.
type Window struct {
	Width, Height int64
	Dark          bool
	NoScript      bool // the page's scripts do not run
}

// Windows that pages are looked at in.
var (
	Desktop     = Window{Width: 1280, Height: 900}
	DesktopDark = Window{Width: 1280, Height: 900, Dark: true}
	Phone       = Window{Width: 390, Height: 844}
	PhoneDark   = Window{Width: 390, Height: 844, Dark: true}

	// Corners are enough for properties that are unlikely to differ between them. Everywhere has
	// no more windows either, unless HEAPWRIGHT_THOROUGH=1 asks for all.
	Corners    = []Window{Desktop, PhoneDark}
	Everywhere = everywhere()
)

func everywhere() []Window {
	if os.Getenv("HEAPWRIGHT_THOROUGH") == "" {
		return Corners
	}
	return []Window{Desktop, DesktopDark, Phone, PhoneDark}
}

// String names the window as a test's name and a picture's can be.
func (w Window) String() string {
	scheme := "light"
	if w.Dark {
		scheme = "dark"
	}
	return fmt.Sprintf("%d-%s", w.Width, scheme)
}

// Page is a page open in a real browser, or a frame of one.
type Page struct {
	testing.TB
	ctx   context.Context
	world cdpruntime.ExecutionContextID // the world of a frame; 0 is the page itself
	log   *log
}

// log holds the browser's messages on a page and its frames.
type log struct {
	sync.Mutex
	complaints []string // console messages, exceptions, violated policies
	requests   []string // all but the page itself
}

// Open writes a page to disk and opens it from there.
func Open(t testing.TB, html string, w Window) *Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &Page{TB: t, ctx: tab(t), log: &log{}}
	if err := chromedp.Listen(p.ctx, p.log.record); err != nil {
		t.Fatal(err)
	}
	Call(p, network.Enable, network.EnableParams{})
	Call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: w.NoScript})
	p.media("", w.Dark)
	p.Do(chromedp.EmulateViewport(w.Width, w.Height), chromedp.Navigate("file://"+file))
	return p
}

// media sets the medium, "" for the screen, and the scheme.
func (p *Page) media(medium string, dark bool) {
	p.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	Call(p, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: medium, Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

func (l *log) record(event any) {
	l.Lock()
	defer l.Unlock()
	switch e := event.(type) {
	case *cdpruntime.EventExceptionThrown:
		l.complaints = append(l.complaints, fmt.Sprintf("%+v", e.ExceptionDetails.Exception))
	case *cdpruntime.EventConsoleAPICalled:
		l.complaints = append(l.complaints, "console."+string(e.Type))
	case *cdplog.EventEntryAdded:
		l.complaints = append(l.complaints, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if !strings.HasSuffix(e.Request.URL, "/page.html") && e.Request.URL != "about:srcdoc" {
			l.requests = append(l.requests, e.Request.URL)
		}
	}
}

// Quiet fails the test if the browser complained or asked the network.
func (p *Page) Quiet() {
	p.Helper()
	p.log.Lock()
	defer p.log.Unlock()
	if len(p.log.complaints) > 0 {
		p.Errorf("the browser complains:\n%s", strings.Join(p.log.complaints, "\n"))
	}
	if len(p.log.requests) > 0 {
		p.Errorf("the page loads:\n%s", strings.Join(p.log.requests, "\n"))
	}
}

// Do carries actions out in turn.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.fail(err)
	}
}

// Call sends the browser a command of its protocol.
func Call[P, R any](p *Page, command cdp.Command[P, R], params P) R {
	p.Helper()
	result, err := chromedp.Call(p.ctx, command, params)
	if err != nil {
		p.fail(err)
	}
	return result
}

// Ask evaluates an expression in the page.
func Ask[T any](p *Page, expression string) T {
	p.Helper()
	value, err := chromedp.Run(p.ctx,
		chromedp.Evaluate[T](expression, func(e *cdpruntime.EvaluateParams) { e.ContextID = p.world }))
	if err != nil {
		p.fail(fmt.Errorf("%s: %w", expression, err))
	}
	return value
}

// Await waits until an expression is true, also in the page that a navigation leads to.
func (p *Page) Await(expression string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	wait := "new Promise((done, fail) => { const look = () => { try { if (" + expression +
		") done(true); else setTimeout(look, 20); } catch (err) { fail(err); } }; requestAnimationFrame(look); })"
	for {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](wait, chromedp.EvalAwaitPromise,
			func(e *cdpruntime.EvaluateParams) { e.ContextID = p.world }))
		switch {
		case err == nil:
			return
		case ctx.Err() != nil || !navigated(err):
			p.fail(fmt.Errorf("%s: %w", expression, err))
		}
	}
}

// navigated reports whether a question got no answer because the page was left.
func navigated(err error) bool {
	return strings.Contains(err.Error(), "navigated or closed") || strings.Contains(err.Error(), "context was destroyed")
}

// Frame returns the frame with an id. Questions to it see the frame's elements, but
// not the objects of its scripts.
func (p *Page) Frame(id string) *Page {
	p.Helper()
	for _, f := range Call(p, page.GetFrameTree, cdp.Empty{}).FrameTree.ChildFrames {
		if f.Frame.Name == id {
			world := Call(p, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: f.Frame.ID})
			return &Page{TB: p.TB, ctx: p.ctx, world: world.ExecutionContextID, log: p.log}
		}
	}
	p.Fatalf("there is no frame %s", id)
	return nil
}

func (p *Page) fail(err error) {
	p.Helper()
	p.log.Lock()
	defer p.log.Unlock()
	p.Fatalf("%v\n%s", err, strings.Join(p.log.complaints, "\n"))
}
