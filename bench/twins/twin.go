package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/rules"
)

// line is the line by which a growing twin keeps its entries.
type line struct {
	shape, file string
	number      int
}

// twin is one program of a shape, and its diagnoses.
type twin struct {
	line
	steady   bool
	outcomes []outcome
}

func (t *twin) name() string {
	if t.steady {
		return t.shape + " steady"
	}
	return t.shape + " growing"
}

// outcome is one diagnosis of growth.
type outcome struct {
	leaks      []string // lines that were called a leak
	named      bool     // the right one is among them
	confidence string   // the finding's
}

func (o outcome) String() string {
	switch {
	case o.named:
		return "named, confidence " + o.confidence
	case len(o.leaks) > 0:
		return "a leak at " + strings.Join(o.leaks, ", ")
	}
	return "no leak"
}

var marker = regexp.MustCompile(`// grows: ([a-z]+)$`)

// growingLines reads from the comments of the service which line each shape grows at.
func growingLines(dir string) ([]line, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []line
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for i, l := range strings.Split(string(text), "\n") {
			if m := marker.FindStringSubmatch(l); m != nil {
				all = append(all, line{m[1], filepath.Base(name), i + 1})
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no line is marked", dir)
	}
	return all, nil
}

const (
	perSecond = 100             // requests
	warm      = 3 * time.Second // the steady twins are full then
)

// watch starts a twin, loads it and diagnoses it.
func (s *settings) watch(ctx context.Context, t *twin, run int) (outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	kind := strings.Fields(t.name())[1]
	service := program.In{Env: []string{"GOMAXPROCS=1"}}.Command(ctx, s.service, "-shape", t.shape, "-twin", kind)
	stdout, err := service.StdoutPipe()
	if err != nil {
		return outcome{}, err
	}
	if err := service.Start(); err != nil {
		return outcome{}, err
	}
	defer service.Wait()
	defer cancel()
	addr, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return outcome{}, fmt.Errorf("it does not say where it listens: %w", err)
	}
	url := "http://" + strings.TrimSpace(addr)
	go load(ctx, url)
	select {
	case <-time.After(warm):
	case <-ctx.Done():
		return outcome{}, ctx.Err()
	}
	out := filepath.Join(s.out, fmt.Sprintf("%s-%s-%d", t.shape, kind, run+1))
	args := []string{s.tool, "diagnose", "-C", s.dir, "-duration", s.duration.String(), "-o", out, url}
	if err := (program.In{}).Run(ctx, args...); err != nil {
		return outcome{}, err
	}
	return read(filepath.Join(out, "diagnosis.json"), t)
}

// load sends requests at a steady rate until ctx ends.
func load(ctx context.Context, url string) {
	tick := time.NewTicker(time.Second / perSecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if resp, err := http.Get(url); err == nil {
			resp.Body.Close()
		}
	}
}

// read returns the leaks that a diagnosis names.
func read(name string, t *twin) (o outcome, err error) {
	doc, err := program.ReadJSON[diagnose.Document](name)
	if err != nil {
		return o, err
	}
	for _, f := range doc.Findings {
		for _, f := range append([]rules.Finding{f}, f.Others...) {
			if f.Rule != "unbounded-growth" && f.Rule != "goroutine-leak" {
				continue
			}
			o.leaks = append(o.leaks, fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line))
			if !t.steady && filepath.Base(f.File) == t.file && f.Line == t.number {
				o.named, o.confidence = true, string(f.Confidence)
			}
		}
	}
	return o, nil
}
