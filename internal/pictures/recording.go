package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// recording draws when the parts of a collection from workloads/leakygateway are
// fetched.
func recording(ctx context.Context, root string) (string, error) {
	dir, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	url, stop, err := serve(ctx, root, dir)
	if err != nil {
		return "", err
	}
	defer stop()
	plan := collect.Plan{URL: url, Service: "gateway", Dir: filepath.Join(dir, "collect"), Trace: 2 * time.Second}
	doc, err := collect.Run(ctx, plan)
	if err != nil {
		return "", err
	}
	return drawRecording(doc, collect.DefaultDuration, plan.Trace), nil
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve starts the gateway in a process of its own.
func serve(ctx context.Context, root, dir string) (url string, stop func(), err error) {
	binary := filepath.Join(dir, "gateway.exe")
	if _, err := subprocess.Output(ctx, root, "go", "build", "-o", binary, "./workloads/leakygateway"); err != nil {
		return "", nil, err
	}
	server := exec.Command(binary, "-addr", "127.0.0.1:0") // stop ends it
	out, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		server.Process.Kill()
		server.Wait()
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url = address.FindString(lines.Text()); url != "" {
			return url, stop, nil
		}
	}
	stop()
	return "", nil, fmt.Errorf("the gateway printed no address")
}

// drawRecording draws a line for each type of file: a dot where it was fetched, a
// bar where it was recorded.
func drawRecording(doc *collect.Document, window, trace time.Duration) string {
	recorded := map[string]time.Duration{"cpu": window, "trace": trace}
	derived := []string{"allocs", "flame"} // made from other files, not fetched
	var types []string
	files := slices.SortedStableFunc(slices.Values(doc.Files),
		func(a, b collect.File) int { return a.Taken.Compare(b.Taken) })
	for _, f := range files {
		if !slices.Contains(types, f.Type) && !slices.Contains(derived, f.Type) {
			types = append(types, f.Type)
		}
	}
	const left, right, top, row = 150.0, width - 40.0, 56.0, 32.0
	whole := doc.Finished.Sub(doc.Started).Seconds()
	at := func(seconds float64) float64 { return left + (right-left)*seconds/whole }
	d := &drawing{height: top + row*float64(len(types)) + 44}
	d.text(20, 30, "title", "start", "The requests of a collection to the service")
	d.dot(right-250, 25, "second")
	d.text(right-238, 30, "small", "start", "fetched")
	d.rect(right-160, 18, 40, 14, "first")
	d.text(right-110, 30, "small", "start", "recorded")
	bottom := d.height - 34
	for s := 0.0; s <= whole; s += 5 {
		d.line(at(s), top-6, at(s), bottom, "")
		d.text(at(s), bottom+20, "small", "middle", fmt.Sprintf("%g s", s))
	}
	for i, t := range types {
		y := top + row*(float64(i)+0.5)
		if t == "heap" && len(doc.Paths("", "allocs")) > 0 {
			d.line(at(0), y, at(window.Seconds()), y, "second dashed")
			d.text(at(window.Seconds()/2), y-6, "small", "middle", "allocs: the difference of the two heap profiles")
		}
		d.text(left-20, y+5, "", "end", t)
		for _, f := range files {
			began := f.Taken.Sub(doc.Started).Seconds()
			switch {
			case f.Type != t:
			case recorded[t] > 0:
				d.rect(at(began), y-8, at(began+recorded[t].Seconds())-at(began), 16, "first")
			default:
				d.dot(at(began), y, "second")
			}
		}
	}
	return d.svg("A collection: heap profile and variables, then a CPU profile alone, then heap, goroutines and variables again, then a trace")
}
