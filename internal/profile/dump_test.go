package profile

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
)

// parked starts goroutines of two kinds and returns once all of them wait.
func parked(t *testing.T) {
	var ready sync.WaitGroup
	end := make(chan struct{})
	for range 7 {
		ready.Add(1)
		go func() {
			ready.Done()
			<-end
		}()
	}
	ready.Wait()
	t.Cleanup(func() { close(end) })
}

// stacksOf lists the stacks of a goroutine profile that have a frame of this test, each with
// its goroutines. The runtime's frames are left out, since ?debug=2 has none.
func stacksOf(t *testing.T, text []byte) []string {
	t.Helper()
	p, err := NewDecoder(Options{}).DecodeBytes("the dump", text)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int64{}
	for row, stack := range p.Stacks {
		var b strings.Builder
	frames: // a dump also names what started the goroutine
		for _, at := range p.Dict.Stack(stack) {
			for i := range p.Dict.Lines(at) {
				line := p.Dict.Line(at, i)
				f := p.Dict.Function(line.Function)
				if f.Name == CreatedBy {
					break frames
				}
				if !strings.HasPrefix(f.Name, "runtime.") {
					fmt.Fprintf(&b, "%s %s:%d\n", f.Name, f.File, line.Line)
				}
			}
		}
		if strings.Contains(b.String(), "profile.parked.func1") {
			counts[b.String()] += p.Values[0][row]
		}
	}
	var all []string
	for stack, n := range counts {
		all = append(all, fmt.Sprintf("%d at %s", n, stack))
	}
	slices.Sort(all)
	return all
}

// The three forms of a goroutine profile say the same.
func TestGoroutineDumps(t *testing.T) {
	parked(t)
	var forms [3][]string
	for debug := range forms {
		var b bytes.Buffer
		if err := pprof.Lookup("goroutine").WriteTo(&b, debug); err != nil {
			t.Fatal(err)
		}
		forms[debug] = stacksOf(t, b.Bytes())
	}
	if len(forms[0]) != 1 || !strings.HasPrefix(forms[0][0], "7 at ") {
		t.Fatalf("the profile has %q", forms[0])
	}
	for debug, got := range forms {
		if !slices.Equal(got, forms[0]) {
			t.Errorf("debug=%d: %q, want %q", debug, got, forms[0])
		}
	}
}

// oldDump has the form of Go 1.10, a crash's first lines and a cut-off end.
const oldDump = `fatal error: all goroutines are asleep - deadlock!

goroutine 1 [chan receive, 12 minutes]:
main.(*server).wait(0xc42007e060, 0x4a5b20, 0x0)
	/src/main.go:12 +0x5a
main.main()
	/src/main.go:30 +0x1d

goroutine 18 [select (no cases)]:
example.org/lib%2efn.Run(...)
	/src/lib/run.go:7
created by main.main
	/src/main.go:28 +0x4f

goroutine 19 [runnable]:
main.busy(0x1, {0x2, 0x3})
	/src/main.go:40 +0x1
...additional frames elided...
created by main.main in goroutine 1
	/src/main.go:29 +0x1

goroutine 20 [IO wait]:
internal/poll.runt`

func TestOldDump(t *testing.T) {
	p, err := NewDecoder(Options{}).DecodeBytes("crash.txt", []byte(oldDump))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, stack := range p.Stacks {
		var frames []string
		for _, at := range p.Dict.Stack(stack) {
			line := p.Dict.Line(at, 0)
			frames = append(frames, fmt.Sprintf("%s:%d", p.Dict.Function(line.Function).Name, line.Line))
		}
		got = append(got, strings.Join(frames, " < "))
	}
	want := []string{"runtime.gopark:0 < runtime.chanrecv1:0 < main.(*server).wait:12 < main.main:30", "runtime.gopark:0 < runtime.block:0 < example.org/lib%2efn.Run:7 < created by:0 < main.main:28",
		"main.busy:40 < created by:0 < main.main:29", "runtime.gopark:0"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTextIsQuoted(t *testing.T) {
	for text, says := range map[string]string{
		"404 page not found\n": `begins with "404 page not found"`,
		"Could not enable CPU profiling: cpu profiling already in use\n": `begins with "Could not enable CPU profiling: cpu profiling already in use"`,
		"HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\n\x0a\x04":             "an HTTP answer with its header",
		"goroutine profile: total 0\n":                                   "has no stacks",
		"go 1.26 trace\x00\x00\x00":                                      "heapwright trace reads it",
		"\u202eevil":                                                     `begins with "�evil"`,
	} {
		if _, err := NewDecoder(Options{}).DecodeBytes("x", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Tools that collect for support write a header before each answer.
func TestTextBehindAHeader(t *testing.T) {
	for _, text := range []string{
		"Collector: sgcollect\nHost: node-1\n=====\nheap profile: 12: 3456 [78: 9012] @ heap/1048576\n",
		"Host: node-1\n\ngoroutine profile: total 7\n",
	} {
		if got := sniff([]byte(text)); !strings.Contains(got, "stands behind a header") || !strings.Contains(got, "without ?debug=1") {
			t.Errorf("%q: %s", text, got)
		}
	}
	if got := sniff([]byte("a log of heap profile: 12 lines\n")); strings.Contains(got, "header") {
		t.Errorf("a log: %s", got)
	}
}
