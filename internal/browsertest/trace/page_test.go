package trace_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/trace"
	"github.com/heapwright/heapwright/internal/trace/view"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

// storm is the trace of bench/trace/storm.txtar.
func storm(t *testing.T) *trace.Document {
	t.Helper()
	data, err := os.ReadFile("../../trace/testdata/storm.trace")
	if err != nil {
		t.Fatal(err)
	}
	d, err := trace.Read(t.Context(), "storm.trace", bytes.NewReader(data), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.Tool = "v0.1.0"
	return d
}

const (
	ready = "document.getElementById('picture').dataset.ready === ''"
	shown = "document.getElementById('picture').timeline.range"
	width = "(" + shown + ".to - " + shown + ".from) / " + shown + ".duration"
)

func TestPage(t *testing.T) {
	browsertest.Hold(t, browsertest.Everywhere, browsertest.Written(t, view.HTML, storm(t)), ready, nil)
}

func TestPageWithoutCollections(t *testing.T) {
	d := storm(t)
	d.Cycles, d.Pauses, d.Lines, d.Waiters, d.Bursts, d.Delays = []trace.Cycle{}, []trace.Pause{}, nil, nil, trace.Tail{}, trace.Tail{}
	browsertest.Hold(t, browsertest.Corners, browsertest.Written(t, view.HTML, d), ready, nil)
}

func TestHostileNamesInBrowser(t *testing.T) {
	d := storm(t)
	evil := termtext.Harmless(browsertest.Hostile) // as Read leaves names
	d.Source, d.Warnings, d.Pauses[0].Reason = evil, []string{evil}, evil
	d.Lines[0].Place = trace.Place{Function: evil, File: evil, Line: 1}
	d.Waiters[0].Function, d.Timeline.Bursts[0].Name = evil, evil
	browsertest.Hold(t, browsertest.Corners, browsertest.Written(t, view.HTML, d), ready, nil)
}

// TestZoom goes through the timeline by keys, buttons, table, mouse and URL.
func TestZoom(t *testing.T) {
	p := browsertest.Open(t, browsertest.Written(t, view.HTML, storm(t)), browsertest.Desktop)
	p.Await(ready)
	p.Do(chromedp.Focus("#picture"), chromedp.KeyEvent("+"))
	p.Await(width + " === 0.5")
	p.Await("location.hash !== ''")
	hash := browsertest.Ask[string](p, "location.hash")
	p.Do(chromedp.KeyEvent(kb.ArrowRight))
	p.Await("location.hash !== " + "'" + hash + "'")
	p.Do(chromedp.KeyEvent(kb.Escape))
	p.Await(width + " === 1 && location.hash === ''")
	p.Do(chromedp.Click("#cycles .show"))
	p.Await(width + " < 0.9 && document.activeElement.id === 'picture'")
	p.Do(chromedp.Evaluate[chromedp.Void]("location.hash = '" + hash + "'"))
	p.Await("Math.abs(" + width + " - 0.5) < 0.001")
	p.Do(chromedp.Click("[data-do=all]"), chromedp.KeyEvent("n"))
	if status := browsertest.Ask[string](p, "document.getElementById('status').textContent"); !strings.Contains(status, "mark assist") {
		t.Errorf("the status does not say who took the processors: %s", status)
	}
	p.Quiet()
}
