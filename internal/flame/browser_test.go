package flame

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a real browser with a page open from disk.
type browser struct {
	t   testing.TB
	ctx context.Context

	mu         sync.Mutex
	complaints []string // console messages, exceptions, violated policies
	requests   []string // all but the page itself
}

// window is a window's size and scheme.
type window struct {
	width, height int64
	dark          bool
}

var desktop = window{1280, 900, false}

// open shows a tree's page. It skips where there is no browser.
func open(t testing.TB, tree *Tree, w window) *browser {
	t.Helper()
	var page bytes.Buffer
	if err := tree.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	return openPage(t, page.String(), w)
}

func openPage(t testing.TB, page string, w window) *browser {
	t.Helper()
	file := filepath.Join(t.TempDir(), "flame.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, ctx: tab(t)}
	if err := chromedp.Listen(b.ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if w.dark {
		scheme = "dark"
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	b.do(
		chromedp.EmulateViewport(w.width, w.height),
		chromedp.Navigate("file://"+file),
		chromedp.WaitReady(chromedp.CSS(".flame:is([data-ready], [data-failed])")),
	)
	return b
}

// chrome is one browser for all tests, started by the first that needs it.
var chrome struct {
	sync.Once
	ctx context.Context
	end func()
	err error
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if chrome.end != nil {
		chrome.end()
	}
	os.Exit(code)
}

// tab opens a tab of the test's own. It skips where there is no browser.
func tab(t testing.TB) context.Context {
	t.Helper()
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("a browser is not started in short tests or on Windows")
	}
	i := slices.IndexFunc(browsers, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	if i < 0 {
		t.Skip("no Chromium here: install it (apt-get install chromium) to test the page in a browser")
	}
	chrome.Do(func() { startBrowser(browsers[i]) })
	if chrome.err != nil {
		t.Fatal(chrome.err)
	}
	ctx, closeTab := chromedp.NewContext(chrome.ctx)
	t.Cleanup(closeTab)
	return ctx
}

var browsers = []string{"chromium", "chromium-browser", "google-chrome"}

func startBrowser(name string) {
	dir, err := os.MkdirTemp("", "flame-browser")
	if err != nil {
		chrome.err = err
		return
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(dir), chromedp.WSURLReadTimeout(time.Minute))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, closeTab := chromedp.NewContext(ctx)
	chrome.ctx = ctx
	chrome.err = chromedp.Do(ctx)
	chrome.end = func() {
		chromedp.Cancel(ctx) // waits for the browser's end, so that nothing writes to its folder
		closeTab()
		stop()
		os.RemoveAll(dir)
	}
}

func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *cdpruntime.EventExceptionThrown:
		b.complaints = append(b.complaints, fmt.Sprintf("%+v", e.ExceptionDetails.Exception))
	case *cdpruntime.EventConsoleAPICalled:
		b.complaints = append(b.complaints, "console."+string(e.Type))
	case *cdplog.EventEntryAdded:
		b.complaints = append(b.complaints, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if !strings.HasSuffix(e.Request.URL, "/flame.html") {
			b.requests = append(b.requests, e.Request.URL)
		}
	}
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.fatal(err)
	}
}

func (b *browser) fatal(err error) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.t.Fatalf("%v\n%s", err, strings.Join(b.complaints, "\n"))
}

func call[P, R any](b *browser, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.fatal(err)
	}
}

// inPage lets an expression use flame, the page's first graph.
func inPage(expression string) string {
	return "(() => { const flame = document.querySelector('.flame').flame, graph = flame?.graph; return " + expression + "; })()"
}

// ask evaluates an expression in the page.
func ask[T any](b *browser, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](inPage(expression)))
	if err != nil {
		b.fatal(fmt.Errorf("%s: %w", expression, err))
	}
	return value
}

// await waits until an expression is true.
func (b *browser) await(expression string) {
	b.t.Helper()
	_, err := chromedp.Run(b.ctx, chromedp.Poll[chromedp.Void](inPage(expression), chromedp.WithPollingTimeout(20*time.Second)))
	if err != nil {
		b.fatal(fmt.Errorf("%s: %w", expression, err))
	}
}

// quiet fails the test if the browser complained or asked the network.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.complaints) > 0 {
		b.t.Errorf("the browser complains:\n%s", strings.Join(b.complaints, "\n"))
	}
	if len(b.requests) > 0 {
		b.t.Errorf("the page loads:\n%s", strings.Join(b.requests, "\n"))
	}
}
