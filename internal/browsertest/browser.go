// Package browsertest opens pages in a real browser and checks the rules that every
// page of this project keeps.
//
// People see a page and act on it. So a page is judged as the browser shows it, by
// computed colours, real keys and the log of its requests, never by its source. Tests skip where there is no browser.
package browsertest

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// chrome is one browser for all tests of a package, started by the first that
// needs it.
var chrome struct {
	sync.Once
	ctx context.Context
	end func()
	err error
}

var browsers = []string{"chromium", "chromium-browser", "google-chrome"}

// Main is the TestMain of a package that opens pages: it ends the browser.
func Main(m *testing.M) {
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
	chrome.Do(func() { start(browsers[i]) })
	if chrome.err != nil {
		t.Fatal(chrome.err)
	}
	ctx, closeTab := chromedp.NewContext(chrome.ctx)
	t.Cleanup(closeTab)
	return ctx
}

func start(name string) {
	dir, err := os.MkdirTemp("", "browsertest")
	if err != nil {
		chrome.err = err
		return
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name),
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(dir), chromedp.WSURLReadTimeout(time.Minute),
		// A frame in a process of its own would be a target of its own, unheard.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,IsolateSandboxedIframes,SitePerProcess"),
		chromedp.Flag("disable-site-isolation-trials", true))
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
